import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// The pages with which people sign up, confirm that, and set another password. They call the operations that apps call.
struct HostedSignUp: Sendable {
    let signIn: HostedSignIn

    private var visit: HostedVisit { signIn.visit }

    /// The name of the session between signing up and the confirmation.
    private static let confirmation = "CONFIRM_SIGN_UP"

    /// The attributes that the page asks for: the required ones, and those that codes are sent to.
    private var attributes: [UserPoolAttribute] {
        visit.pool.attributes.filter { attribute in
            attribute.name != "sub" && !UserPoolAttribute.verified.contains(attribute.name)
                && (attribute.isRequired || visit.pool.autoVerifiedAttributes.contains(attribute.name))
                && !(visit.pool.usernameAttributes.count == 1 && visit.pool.usernameAttributes.contains(attribute.name))
        }
    }

    /// The page to sign up.
    func page(_ fields: FormFields = [:], fault: String? = nil) throws -> Response {
        guard !visit.pool.allowsAdminCreateUserOnly else { throw HostedFault.unavailable("Only administrators create users of this pool.") }
        var inputs: [HostedPage.Input] = [
            .init(name: "username", label: signIn.nameLabel, autocomplete: "username", value: fields["username"] ?? "")
        ]
        for attribute in attributes {
            let field = Self.field(of: attribute)
            inputs.append(
                HostedPage.Input(name: field, label: attribute.name, value: fields[field] ?? "", isRequired: attribute.isRequired))
        }
        inputs.append(.init(name: "password", label: "Password", type: "password", autocomplete: "new-password"))
        return HostedPage(
            title: "Sign up", introduction: "with a new account", fault: fault, path: "/signup", inputs: inputs,
            button: ("signUpButton", "Sign up"), links: [.init(text: "Already have an account? Sign in", path: "/login")]
        ).response(in: visit, form: signIn.form)
    }

    /// The name of an attribute's field, as at the service.
    private static func field(of attribute: UserPoolAttribute) -> String { "requiredAttributes[\(attribute.name)]" }

    /// Handles the form to sign up.
    func submit(_ fields: FormFields) async throws -> Response {
        let name = fields.value("username") ?? ""
        var given: [JSONValue] = []
        for attribute in attributes {
            guard let value = fields.value(Self.field(of: attribute)) else { continue }
            given.append(["Name": .string(attribute.name), "Value": .string(value)])
        }
        let members = signIn.members(of: name, ["Password": .string(fields["password"] ?? ""), "UserAttributes": .array(given)])
        do {
            let answer = try await signIn.call("SignUp", members) { try await $0.signUp() }
            guard let sub = answer?["UserSub"]?.stringValue, let user = visit.pools.user(sub: sub, in: visit.pool.id) else {
                throw HostedFault.unavailable("The new user is gone.")
            }
            // A function can confirm the person at once.
            if user.status == .confirmed { return try await enter(user, named: name) }
            return try confirmationPage(for: user, isSent: answer?["CodeDeliveryDetails"] != nil)
        } catch {
            guard let refusal = HostedSignIn.refusal(error) else { throw error }
            return try page(fields, fault: refusal.message)
        }
    }

    /// The page to confirm a sign-up, for a person whose password is proven.
    /// - Parameter isSent: whether a code was sent.
    func confirmationPage(for user: UserPoolUser, isSent: Bool = true) throws -> Response {
        let session = try UserPoolSession(
            challenge: Self.confirmation, client: signIn.request.client, sub: user.sub, issued: visit.cloud.clock.now,
            browser: signIn.form.browser)
        return confirmationPage(
            name: user.username, session: try session.text(in: visit.cloud),
            introduction: isSent ? "Type the code that was sent to you." : "An administrator must confirm your account.")
    }

    /// The page to confirm a sign-up.
    /// - Parameter session: the session of a person whose password is proven; empty for others, who sign in afterwards.
    func confirmationPage(
        name: String = "", session: String = "", introduction: String = "Type the code that was sent to you.", fault: String? = nil
    ) -> Response {
        var inputs = [HostedPage.Input(name: "code", label: "Code", autocomplete: "one-time-code")]
        var hidden = [(name: "session", value: session)]
        if name.isEmpty {
            inputs.insert(.init(name: "username", label: signIn.nameLabel, autocomplete: "username"), at: 0)
        } else {
            hidden.append((name: "username", value: name))
        }
        return HostedPage(
            title: "Confirm your account", introduction: introduction, fault: fault, path: "/confirmUser", hidden: hidden, inputs: inputs,
            button: ("confirm", "Confirm account"), links: [.init(text: "Send a new code", path: "/resendcode")]
        ).response(in: visit, form: signIn.form)
    }

    /// Handles the form to confirm a sign-up, and signs the person in.
    func confirm(_ fields: FormFields) async throws -> Response {
        let (name, text) = (fields.value("username") ?? "", fields["session"] ?? "")
        do {
            let members = signIn.members(of: name, ["ConfirmationCode": .string(fields["code"] ?? "")])
            _ = try await signIn.call("ConfirmSignUp", members) { try await $0.confirmSignUp() }
        } catch {
            guard let refusal = HostedSignIn.refusal(error) else { throw error }
            return confirmationPage(name: name, session: text, fault: refusal.message)
        }
        guard let session = UserPoolSession(text: text, in: visit.cloud), session.challenge == Self.confirmation,
            session.client == signIn.request.client.id, session.browser == signIn.form.browser,
            !session.hasExpired(at: signIn.request.client, in: visit.cloud), session.use(in: visit.cloud),
            let user = visit.pools.user(sub: session.sub, in: visit.pool.id),
            visit.pools.user(signingInAs: name, in: visit.pool)?.sub == user.sub
        else { return signIn.loginPage(name: name, introduction: "Your account is confirmed. Sign in.") }
        return try await enter(user, named: name)
    }

    /// Signs in a person whose account is confirmed.
    private func enter(_ user: UserPoolUser, named name: String) async throws -> Response {
        do {
            return try await signIn.proceed(user)
        } catch {
            guard let refusal = HostedSignIn.refusal(error) else { throw error }
            return signIn.loginPage(name: name, fault: refusal.message)
        }
    }

    /// The page for another code.
    func resendPage(fault: String? = nil) -> Response {
        HostedPage(
            title: "Send a new code", fault: fault, path: "/resendcode",
            inputs: [.init(name: "username", label: signIn.nameLabel, autocomplete: "username")], button: ("resend", "Send")
        ).response(in: visit, form: signIn.form)
    }

    /// Handles the form for another code.
    func resend(_ fields: FormFields) async throws -> Response {
        let name = fields.value("username") ?? ""
        do {
            _ = try await signIn.call("ResendConfirmationCode", signIn.members(of: name)) { try await $0.resendConfirmationCode() }
            return confirmationPage(name: name)
        } catch {
            guard let refusal = HostedSignIn.refusal(error) else { throw error }
            return resendPage(fault: refusal.message)
        }
    }

    /// The page for a forgotten password.
    func forgottenPage(fault: String? = nil) -> Response {
        HostedPage(
            title: "Forgot your password?", introduction: "A code will be sent to you.", fault: fault, path: "/forgotPassword",
            inputs: [.init(name: "username", label: signIn.nameLabel, autocomplete: "username")],
            button: ("reset_my_password", "Reset my password"), links: [.init(text: "Sign in", path: "/login")]
        ).response(in: visit, form: signIn.form)
    }

    /// Handles the form for a forgotten password.
    func forget(_ fields: FormFields) async throws -> Response {
        let name = fields.value("username") ?? ""
        do {
            _ = try await signIn.call("ForgotPassword", signIn.members(of: name)) { try await $0.forgotPassword() }
            return newPasswordPage(name)
        } catch {
            guard let refusal = HostedSignIn.refusal(error) else { throw error }
            return forgottenPage(fault: refusal.message)
        }
    }

    private func newPasswordPage(_ name: String, fault: String? = nil) -> Response {
        HostedPage(
            title: "Change password", introduction: "Type the code that was sent to you, and a new password.", fault: fault,
            path: "/confirmForgotPassword", hidden: [(name: "username", value: name)],
            inputs: [
                .init(name: "code", label: "Code", autocomplete: "one-time-code"),
                .init(name: "password", label: "New password", type: "password", autocomplete: "new-password"),
            ], button: ("reset_password", "Change password")
        ).response(in: visit, form: signIn.form)
    }

    /// Handles the form with the new password.
    func reset(_ fields: FormFields) async throws -> Response {
        let name = fields.value("username") ?? ""
        let further: JSONObject = ["ConfirmationCode": .string(fields["code"] ?? ""), "Password": .string(fields["password"] ?? "")]
        do {
            _ = try await signIn.call("ConfirmForgotPassword", signIn.members(of: name, further)) { try await $0.confirmForgotPassword() }
            return signIn.loginPage(name: name, introduction: "Your password is changed. Sign in.")
        } catch {
            guard let refusal = HostedSignIn.refusal(error) else { throw error }
            return newPasswordPage(name, fault: refusal.message)
        }
    }
}
