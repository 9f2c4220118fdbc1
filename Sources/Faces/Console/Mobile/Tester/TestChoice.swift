import Calls
import WireFormats

/// The *Authentication* of a test: the backend and the method, from the form, the default test credentials, or what fits.
struct TestChoice {
    let fields: FormFields
    let backends: [JSONObject]
    let backend: JSONObject?
    let method: AuthenticationMethod
    /// The name and value of what is shown in the form.
    private let defaults: FormFields

    /// - Parameters:
    ///   - fields: the form; empty before the first test.
    ///   - wanted: the backend whose page led here.
    ///   - api: the name and version of the API, which the first choice should offer.
    init(fields: FormFields, defaults: FormFields, backends: [JSONObject], wanted: String?, api: String) {
        (self.fields, self.defaults, self.backends) = (fields, defaults, backends)
        func named(_ fields: FormFields) -> JSONObject? {
            guard let name = fields.first("backend") else { return nil }
            let versions = backends.filter { $0.string("name") == name }
            return versions.first { $0.string("version") == fields.first("version") } ?? versions.first
        }
        let offering = backends.first { backend in backend["apis"] == "all" || backend.texts("apis").contains { api.hasPrefix($0) } }
        let chosen = named(fields) ?? backends.first { $0.versionedName == wanted } ?? named(defaults) ?? offering ?? backends.first
        let open = AuthenticationMethod.allCases.first { $0.obstacle(chosen ?? [:]) == nil }
        backend = chosen
        method = (fields.first("method") ?? defaults.first("method")).flatMap(AuthenticationMethod.init) ?? open ?? .basic
    }

    /// Returns what a field shows: what was entered, else the default.
    func value(_ name: String) -> String { fields.first(name) ?? defaults.first(name) ?? "" }
}
