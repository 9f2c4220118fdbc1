import Cloud
import Directory
import Federation
import Tokens

/// A request for sign-on whose sender and destination are good, or the wish of a person who was at our own page.
struct SignOnRequest {
    var serviceProvider: ServiceProvider
    var consumer: AssertionConsumerService
    /// Absent where no request was sent (SAML 2.0 Profiles section 4.1.5).
    var id: String?
    var relayState: String?
    /// What the assertion is to call the person; `nil` for what the service provider usually gets.
    var format: SAML.NameIDFormat?
    /// The name of whom the service provider asks for.
    var subject: Subject?
    /// What the assertion says of the login.
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
