import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// Registration at the login page of a realm. (Keycloak, "Server Administration Guide", "Enabling user registration".)
extension SignIn {
    /// The greatest number of people of a realm in which people may register.
    private static let mostPeople = 10_000

    /// Starts with a request for a new account.
    func beginRegistration(_ parameters: FormFields) async throws -> Response {
        try await responding {
            try await visit.enter("Authorize")
            let parameters = try await endpoint.resolve(parameters)
            return try await registrationPage(try await endpoint.request(parameters), parameters)
        }
    }

    /// Handles the form of the registration page.
    func submitRegistration(_ fields: FormFields) async throws -> Response {
        try await responding {
            try await visit.enter("Register")
            guard let pending = try await taken(fields), pending.stage == .registration else { throw FaultPage.expiredForm }
            let request = try await endpoint.request(pending.parameters)
            try checkAllowed()
            let registration = PersonRegistration(fields: fields)
            let person = try registration.person()
            let name = visit.provider.name
            let faults = try await visit.cloud.edit { directory -> [(field: String, text: String)] in
                try visit.grantIssuer.check(provider: name, client: request.client.id)
                guard let provider = directory.providers[name] else { throw GrantRefusal.provider }
                let faults = registration.faults(at: provider)
                guard faults.isEmpty else { return faults }
                guard provider.people.count < Self.mostPeople else { throw Self.notAllowed }
                directory.put(person, at: name)
                return []
            }
            guard faults.isEmpty else {
                return try await registrationPage(request, pending.parameters, filled: fields, faults: faults)
            }
            let next = AuthorizeEndpoint(visit: try visit.rereading())
            return try await next.signIn.start(person, try await next.request(pending.parameters), pending.parameters)
        }
    }

    /// Shows the registration page.
    func registrationPage(
        _ request: AuthorizationRequest, _ parameters: FormFields, filled: FormFields = [:], faults: [(field: String, text: String)] = []
    ) async throws -> Response {
        try checkAllowed()
        let action = visit.basePath + RealmRegistrationPage.formPath
        return try await show(PendingForm(stage: .registration, parameters: parameters), for: request.client) { form in
            RealmRegistrationPage(client: request.client, action: action, form: form, filled: filled, faults: faults).page
        }
    }

    /// Returns the URL of the registration page for a request; `nil` if people may not register, or the request is not one of OpenID
    /// Connect.
    func registrationURL(_ parameters: FormFields) -> String? {
        guard endpoint is AuthorizeEndpoint, isAllowed else { return nil }
        return "\(visit.basePath)/protocol/openid-connect/registrations?\(parameters.encoded)"
    }

    private var isAllowed: Bool { visit.manners.registersPeople && visit.provider.allowsRegistration == true }

    private static let notAllowed = FaultPage(code: "registration_disabled", explanation: "Registration not allowed")

    private func checkAllowed() throws(FaultPage) {
        guard isAllowed else { throw Self.notAllowed }
    }
}
