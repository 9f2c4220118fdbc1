import Cryptography
import Tokens
import WireFormats

/// A PKCE challenge, which binds a code to the client instance that requested it (RFC 7636).
struct CodeChallenge {
    enum Method: String {
        case plain
        case s256 = "S256"
    }

    var method: Method
    var value: String

    init(method: Method, value: String) {
        self.method = method
        self.value = value
    }

    /// Reads the request's parameters (section 4.3); `nil` if it has none.
    /// - Throws: `CodeChallengeFault` with an explanation for the application.
    init?(_ parameters: FormFields, allowing methods: [Method]) throws(CodeChallengeFault) {
        guard let value = parameters.value("code_challenge") else {
            if parameters.value("code_challenge_method") != nil { throw .missingChallenge }
            return nil
        }
        guard let method = Method(rawValue: parameters.value("code_challenge_method") ?? "plain"), methods.contains(method) else {
            throw .unsupportedMethod
        }
        // A plain challenge equals the verifier.
        guard method == .plain ? PKCE.isVerifier(value) : PKCE.isChallenge(value) else { throw .malformedChallenge }
        self.init(method: method, value: value)
    }

    /// Restores the challenge that a code is bound to.
    init?(binding: JSONObject) {
        guard let value = binding["code_challenge"]?.stringValue,
            let method = binding["code_challenge_method"]?.stringValue.flatMap(Method.init(rawValue:))
        else { return nil }
        self.init(method: method, value: value)
    }

    /// Returns whether the verifier matches the challenge (section 4.6).
    func fits(_ verifier: String) -> Bool {
        switch method {
        case .plain: constantTimeEquals(verifier, value)
        case .s256: PKCE.matches(verifier: verifier, challenge: value)
        }
    }
}

enum CodeChallengeFault: Error {
    case missingChallenge, unsupportedMethod, malformedChallenge

    var explanation: String {
        switch self {
        case .missingChallenge: "code_challenge_method needs a code_challenge."
        case .unsupportedMethod: "The transform algorithm of code_challenge_method is not supported."
        case .malformedChallenge: "The code_challenge is malformed."
        }
    }
}
