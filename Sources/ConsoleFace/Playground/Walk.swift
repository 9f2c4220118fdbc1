import WireFormats

/// A walk from a login to an object, with the requests of each step. It is kept in memory under its URL.
struct Walk: KeptInMemory {
    let id: String
    /// The generation of the cloud. A reset starts another one and ends the walk.
    let generation: Int64
    /// The real time of the start.
    let created: Timestamp
    var provider: WalkProvider
    /// The person who is logged in; `nil` if the token does not say.
    var person: String?
    /// The URL that the login began with; `nil` for a token without a login.
    var authorizeURL: String?
    /// The return to the console after the login, without its code.
    var returned: String?
    /// The requests of step 1.
    var login: [Exchange] = []
    var token: WalkToken?
    /// The fields of step 2, as they were last sent.
    var order = AssumeOrder()
    /// The last request of step 2.
    var assumption: Exchange?
    var credentials: WalkCredentials?
    /// The last request of step 3.
    var access: Exchange?
    /// The last URL that was signed for others.
    var presignedURL: String?
    var files = WalkFiles()
    /// The policies of roles before the walk changed them.
    var originals: [PolicyPlace: String] = [:]
    /// Whether an experiment aged what was issued.
    var hasAged = false
    /// Whether an experiment replaced the key that signed the token.
    var needsNewToken = false
    /// The results of the experiments, by their names.
    var results: [String: ExperimentResult] = [:]

    /// Whose policy it is, and which.
    struct PolicyPlace: Hashable, Sendable {
        /// The name of the role.
        var role: String
        /// The name of the inline policy; `nil` for the trust policy.
        var policy: String?
    }
}

/// A token of step 1.
struct WalkToken: Sendable {
    var text: String
    /// `id_token` or `access_token`.
    var kind: String
    /// When it expires, in milliseconds of the sandbox's time.
    var expires: Int64?
    /// When it was received, in the same milliseconds.
    var received: Int64

    /// The decoded header and claims; `nil` for an opaque token.
    var decoded: (header: JSONValue, claims: JSONValue)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = [UInt8](base64url: String(parts[0])), let claims = [UInt8](base64url: String(parts[1])),
            let headerJSON = try? JSONValue(parsing: header), let claimsJSON = try? JSONValue(parsing: claims, repeatedNames: .lastCounts)
        else { return nil }
        return (headerJSON, claimsJSON)
    }
}

/// The parameters of `AssumeRoleWithWebIdentity`.
struct AssumeOrder: Sendable, Equatable {
    var roleARN = ""
    var sessionName = "playground"
    var duration = "3600"
    var providerID = ""
    var policy = ""
    /// Another token than that of step 1; empty for that one.
    var token = ""
}

/// The temporary credentials of step 2.
struct WalkCredentials: Sendable {
    var accessKeyID: String
    var secretAccessKey: String
    var sessionToken: String
    /// When they expire, in milliseconds of the sandbox's time.
    var expires: Int64?
    /// When they were received, in the same milliseconds.
    var received: Int64
    /// The ARN of the session.
    var arn: String
    /// The condition keys that the token set, which policies can use as variables.
    var claims: [String: [String]] = [:]
}

/// What step 3 shows of the bucket.
struct WalkFiles: Sendable {
    var bucket = ""
    var prefix = ""
    /// The keys that the credentials may list.
    var own: [String] = []
    /// The error of the listing.
    var refusal: String?
    /// Keys outside the prefix, as the root user sees them.
    var others: [String] = []
}

/// The expected and the actual code of an experiment.
struct ExperimentResult: Sendable {
    var actual: String
    var message: String
    /// The number in the journal.
    var number: Int64?
    var isAsExpected: Bool
}
