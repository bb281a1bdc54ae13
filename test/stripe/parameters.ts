import type Stripe from 'stripe'

/** The parameters of the requests that the double accepts, by method and path. `make-parameters.ts` makes schemas of them. */
export interface Parameters {
  'POST customers': Stripe.CustomerCreateParams
  'GET customers/:id': Stripe.CustomerRetrieveParams
  'POST customers/:id': Stripe.CustomerUpdateParams
  'GET customers/:id/tax_ids': Stripe.CustomerListTaxIdsParams
  'POST customers/:id/tax_ids': Stripe.CustomerCreateTaxIdParams
  'DELETE customers/:id/tax_ids/:part': object
  'GET customers/:id/payment_methods': Stripe.CustomerListPaymentMethodsParams
  'GET payment_methods/:id': Stripe.PaymentMethodRetrieveParams
  'POST payment_methods/:id/detach': Stripe.PaymentMethodDetachParams
  'POST checkout/sessions': Stripe.Checkout.SessionCreateParams
  'GET checkout/sessions': Stripe.Checkout.SessionListParams
  'GET checkout/sessions/:id': Stripe.Checkout.SessionRetrieveParams
  'POST checkout/sessions/:id/expire': Stripe.Checkout.SessionExpireParams
  'POST payment_intents': Stripe.PaymentIntentCreateParams
  'GET payment_intents': Stripe.PaymentIntentListParams
  'GET payment_intents/:id': Stripe.PaymentIntentRetrieveParams
  'GET charges/:id': Stripe.ChargeRetrieveParams
  'GET refunds': Stripe.RefundListParams
  'GET refunds/:id': Stripe.RefundRetrieveParams
  'GET disputes': Stripe.DisputeListParams
  'GET disputes/:id': Stripe.DisputeRetrieveParams
  'GET events': Stripe.EventListParams
}
