import Calls
import Directory
import WireFormats

/// The page on which a person creates an account in a realm. Its form and fields are those of Keycloak's page.
struct RealmRegistrationPage {
    var client: Client
    /// The path that receives the form.
    var action: String
    /// The single-use value that the form submits.
    var form: String
    /// What the person filled in.
    var filled: FormFields
    /// The errors of the last attempt, by field.
    var faults: [(field: String, text: String)]

    /// The path that receives the form, relative to the realm.
    static let formPath = "/login-actions/registration"

    var page: SignInPage {
        let inputs = PersonRegistration.fields.map { input($0) }
        return SignInPage(
            title: "Register",
            content: """
                <h1 id="kc-page-title">Register</h1>
                <p class="soft">to continue to <strong>\(client.name)</strong></p>
                <form id="kc-register-form" action="\(RealmLoginPage.action(action, form: form, client: client))" method="post">
                <input type="hidden" name="form" value="\(form)">
                \(inputs)
                <input class="primary" type="submit" value="Register">
                </form>
                """)
    }

    private func input(_ field: PersonRegistration.Field) -> HTML {
        let value = field.isSecret ? "" : filled[field.name] ?? ""
        let type = field.isSecret ? "password" : "text"
        let fault = faults.first { $0.field == field.name }
        let marking: HTML = fault == nil ? "" : " aria-invalid=\"true\""
        let error: HTML = fault.map { "<span class=\"alert\" id=\"input-error-\(field.name)\" role=\"alert\">\($0.text)</span>\n" } ?? ""
        return """
            <label for="\(field.name)">\(field.label)</label>
            <input id="\(field.name)" name="\(field.name)" type="\(type)" value="\(value)"\(marking)>
            \(error)

            """
    }
}
