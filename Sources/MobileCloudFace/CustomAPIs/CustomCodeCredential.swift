import Calls
import Cloud
import Directory
import Tokens
import WireFormats

/// What custom code gets in place of its caller's credentials, and calls other APIs with under the caller's identity: a sealed record, so that
/// nothing need be kept, and the code neither reads nor changes it.
///
/// The service hands the code an `Authorization` that its SDK puts on every call back. What is in it is nobody's concern; here it ends soon.
/// (Using Oracle Mobile Cloud Service, "Calling APIs from Custom Code".)
struct CustomCodeCredential: Sendable {
    /// ``MobileBackend/id``
    private var backend: String
    private var identity: JSONObject
    private var method: MobileCaller.Method
    /// Those of somebody whom the directory does not know, and what a token gave to somebody whom it knows.
    private var roles: [String]
    private var customCode: MobileCaller.CustomCode
    private var issued: Timestamp
    private var expires: Timestamp

    /// Seconds that custom code has for its calls: well more than it has for its answer, since it may go on afterwards.
    static let lifetime: Int64 = 300
    private static let context = Array("custom code".utf8)

    /// - Parameters:
    ///   - caller: in whose name the code is to call.
    ///   - customCode: which code that is.
    init(for caller: MobileCaller, of customCode: MobileCaller.CustomCode, at time: Timestamp) {
        backend = caller.backend.id
        method = caller.method
        switch caller.identity {
        case .anonymous:
            identity = [:]
            roles = []
        case .user(let user):
            identity = ["user": .string(user.username), "id": .string(user.id)]
            roles = caller.roles.subtracting(user.roles).sorted()
        case .virtual(let name, let issuer):
            identity = ["virtual": .string(name), "issuer": .string(issuer)]
            roles = caller.roles.sorted()
        case .social(let user):
            identity = [
                "provider": .string(user.provider), "id": .string(user.id), "name": user.name.map { .string($0) } ?? .null,
                "token": .string(user.accessToken),
            ]
            roles = []
        }
        self.customCode = customCode
        issued = Timestamp(seconds: time.seconds)
        expires = Timestamp(seconds: time.seconds + Self.lifetime)
    }

    /// As it stands behind `Bearer`; it has no dot, so that it is told from a JWT.
    func sealed(with key: SealingKey) throws -> String {
        let record: JSONValue = [
            "backend": .string(backend), "identity": .object(identity), "method": .string(method.rawValue),
            "roles": .array(roles.map(JSONValue.string)), "api": .string(customCode.api), "depth": .integer(Int64(customCode.depth)),
            "issued": .integer(issued.seconds), "expires": .integer(expires.seconds),
        ]
        return try SealedRecord.seal(record.serializedBytes(), key: key, context: Self.context)
    }

    /// - Returns: nothing for a text that is no such credential of this sandbox.
    init?(opening text: String, key: SealingKey) {
        guard let bytes = try? SealedRecord.open(text, key: key, context: Self.context), let record = try? JSONValue(parsing: bytes),
            let backend = record["backend"]?.stringValue, let identity = record["identity"]?.objectValue,
            let method = record["method"]?.stringValue.flatMap(MobileCaller.Method.init), let api = record["api"]?.stringValue,
            let depth = record["depth"]?.integerValue, let issued = record["issued"]?.integerValue,
            let expires = record["expires"]?.integerValue
        else { return nil }
        self.backend = backend
        self.identity = identity
        self.method = method
        roles = record["roles"]?.arrayValue?.compactMap(\.stringValue) ?? []
        customCode = MobileCaller.CustomCode(api: api, depth: Int(depth))
        self.issued = Timestamp(seconds: issued)
        self.expires = Timestamp(seconds: expires)
    }

    /// In whose name the code calls, as they are now.
    /// - Throws: ``MobileError`` where the credential has ended, or with it what it was given for.
    func caller(in cloud: Cloud) throws(MobileError) -> MobileCaller {
        guard !cloud.clock.hasExpired(expires, issuedAt: issued) else {
            throw MobileError(.invalidToken, "The token of the custom code has expired.")
        }
        let mobile = cloud.directory.mobile
        guard let backend = mobile.backend(id: backend) else {
            throw MobileError(.invalidToken, "The mobile backend of the custom code's caller is gone.")
        }
        // Nobody in particular may come from custom code whose own caller has come another way.
        if !identity.isEmpty { try method.admit(to: backend) }
        var caller = MobileCaller(backend: backend, identity: .anonymous, method: method, roles: Set(roles), customCode: customCode)
        if let name = identity["user"]?.stringValue {
            guard let user = mobile.realms[backend.realm]?.user(named: name), user.id == identity["id"]?.stringValue else {
                throw MobileError(.invalidToken, "The custom code's caller is gone.")
            }
            caller.identity = .user(user)
            caller.roles.formUnion(user.roles)
        } else if let name = identity["virtual"]?.stringValue {
            caller.identity = .virtual(name: name, issuer: identity["issuer"]?.stringValue ?? "")
        } else if let provider = identity["provider"]?.stringValue {
            caller.identity = .social(
                MobileCaller.SocialUser(
                    provider: provider, id: identity["id"]?.stringValue ?? "", name: identity["name"]?.stringValue,
                    accessToken: identity["token"]?.stringValue ?? ""))
        }
        return caller
    }
}

extension MobileCall {
    /// The caller in whose name custom code calls; `nil` for a token that is no credential of custom code.
    /// - Throws: ``MobileError`` for a credential that has ended.
    func customCodeCaller(_ token: String) throws(MobileError) -> MobileCaller? {
        guard !token.contains("."), let credential = CustomCodeCredential(opening: token, key: cloud.sealingKey) else { return nil }
        return try credential.caller(in: cloud)
    }

    /// How an operation begins that is for custom code alone.
    /// (REST API for Oracle Mobile Cloud Service: "For security reasons, you can call this operation only from custom API implementations".)
    /// - Throws: ``MobileError`` for everybody else, `InjectedFault`.
    func enter(customCode operation: String) async throws -> MobileCaller {
        let caller = try await enter(authenticating: operation)
        guard caller.customCode != nil else {
            throw MobileError(.forbidden, "Only the implementations of custom APIs can call \(http.path), and no app.")
        }
        return caller
    }
}
