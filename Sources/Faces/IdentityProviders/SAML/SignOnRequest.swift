import Cloud
import Directory
import Federation
import Tokens

/// A sign-on request whose sender and destination are valid, or a selection on the provider's own page.
struct SignOnRequest {
    var serviceProvider: ServiceProvider
    var consumer: AssertionConsumerService
    /// Where the browser brings the response instead of the endpoint: the web console, which shows it. The response itself is for the endpoint.
    var delivery: String?
    /// The identifier of the request; absent for IdP-initiated sign-on (SAML 2.0 Profiles section 4.1.5).
    var id: String?
    var relayState: String?
    /// The requested name format; `nil` for the service provider's default.
    var format: SAML.NameIDFormat?
    /// The requested user.
    var subject: Subject?
    /// The authentication context in the assertion.
    var context = SAML.AuthnContext.passwordProtectedTransport
    var isForced = false
    var isPassive = false

    struct Subject {
        var name: String
        var format: SAML.NameIDFormat?
    }

    init(to serviceProvider: ServiceProvider, consumer: AssertionConsumerService, relayState: String?) {
        self.serviceProvider = serviceProvider
        self.consumer = consumer
        self.relayState = relayState
    }
}
