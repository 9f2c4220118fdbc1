import WireFormats

/// A walk from a login to an object, with the requests of each step. It is kept in memory under its URL.
struct Walk: KeptInMemory {
    let id: String
    /// The generation of the cloud. A reset starts another one and ends the walk.
    let generation: Int64
    /// The real time of the start.
    let created: Timestamp
    /// The way from the person to the object, with its provider and its steps.
    var course: any WalkCourse
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

    init(id: String, generation: Int64, created: Timestamp, course: any WalkCourse) {
        (self.id, self.generation, self.created, self.course) = (id, generation, created, course)
        files.store = course.kind == .alibaba ? .ossV4 : .s3
    }

    /// Starts step 1 again. What the later steps had is not valid any more.
    mutating func begin() {
        (login, token, person, authorizeURL, returned) = ([], nil, nil, nil, nil)
        (assumption, credentials, access, presignedURL) = (nil, nil, nil, nil)
        (files, results) = (WalkFiles(store: files.store), [:])
        order.token = ""
    }

    /// Whose policy it is, and which.
    struct PolicyPlace: Hashable, Sendable {
        /// The name of the role.
        var role: String
        /// The name of the permission policy; `nil` for the trust policy.
        var policy: String?
    }
}

/// A token of step 1.
struct WalkToken: Sendable {
    var text: String
    /// `id_token`, `access_token`, `SAMLResponse` or `token`.
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

    /// The XML of a SAML response; `nil` for other tokens.
    var xml: String? {
        guard let bytes = [UInt8](base64: text), bytes.first == UInt8(ascii: "<") else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// The parameters of a request for credentials.
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
    var store = WalkStorage.s3
    var bucket = ""
    var prefix = ""
    /// The keys that the credentials may list.
    var own: [String] = []
    /// The error of the listing.
    var refusal: String?
    /// Keys outside the prefix, as the root user sees them.
    var others: [String] = []
    /// The owners of ``others`` at identity providers, such as `alice at company`, by key.
    var owners: [String: String] = [:]
}

/// The object store of step 3, and how requests to it are signed.
enum WalkStorage: String, Sendable, CaseIterable {
    case s3 = "v4"
    case ossV1 = "oss-v1"
    case ossV4 = "oss-v4"

    /// The name of the service in `POST /_virga/send`.
    var service: String { self == .s3 ? "s3" : "oss" }
    var title: String { self == .s3 ? "S3" : "OSS" }
    /// The signature in `POST /_virga/send`; `nil` for the usual one.
    var signature: String? { self == .s3 ? nil : rawValue }
}

/// The expected and the actual code of an experiment.
struct ExperimentResult: Sendable {
    var actual: String
    var message: String
    /// The number in the journal.
    var number: Int64?
    var isAsExpected: Bool
}
