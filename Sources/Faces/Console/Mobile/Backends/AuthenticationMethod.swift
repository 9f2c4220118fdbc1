import Calls
import WireFormats

/// The methods by which apps authenticate at a backend, as the API tester lists them.
enum AuthenticationMethod: String, CaseIterable, Sendable {
    case basic, oauth, sso, facebook

    var title: String {
        switch self {
        case .basic: "HTTP Basic"
        case .oauth: "OAuth Consumer"
        case .sso: "Single Sign-On Token"
        case .facebook: "Facebook"
        }
    }

    /// Returns why a backend does not accept the method, and what to switch; `nil` if it does.
    func obstacle(_ backend: JSONObject) -> String? {
        let hasFacebook = backend["facebook"]?.objectValue != nil
        if hasFacebook, self != .facebook { return "\(title) is off, because Facebook login is on: such a backend serves nothing else." }
        switch self {
        case .basic: return backend.isOn("basic") ? nil : "HTTP Basic is off in this backend. Switch it on in Settings."
        case .oauth: return backend.isOn("oauth") ? nil : "OAuth Consumer is off in this backend. Switch it on in Settings."
        case .sso:
            guard backend.isOn("oauth") else { return "OAuth Consumer is off in this backend, and single sign-on needs it." }
            return backend.isOn("sso") ? nil : "Enable Single Sign-On in the backend's Settings."
        case .facebook:
            guard hasFacebook else { return "Facebook is off in this backend. Switch it on in Settings, under Social Login." }
            return backend.isOn("basic") ? nil : "HTTP Basic is off in this backend, and Facebook login needs it."
        }
    }
}
