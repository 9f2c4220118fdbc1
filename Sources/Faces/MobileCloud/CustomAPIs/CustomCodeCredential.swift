import Calls
import Cloud
import Directory
import Tokens
import WireFormats

/// The credential that custom code receives in place of its caller's, for calling other APIs under the caller's identity.
///
/// It is a sealed record: nothing is stored, and the code can neither read nor change it. The service passes the code an `Authorization`
/// header that its SDK adds to every call. The format of the value is not documented; here it expires soon.
/// (Using Oracle Mobile Cloud Service, "Calling APIs from Custom Code".)
struct CustomCodeCredential: Sendable {
    /// ``MobileBackend/id``
    private var backend: String
    private var identity: JSONObject
    private var method: MobileCaller.Method
    /// The roles of a caller that is not in the directory, or the additional roles that a token gave a user of the realm.
    private var roles: [String]
    private var customCode: MobileCaller.CustomCode
    private var issued: Timestamp
    private var expires: Timestamp

    /// The lifetime in seconds. It is well above the timeout of the code's response, since the code may continue after responding.
    static let lifetime: Int64 = 300
    private static let context = Array("custom code".utf8)

    /// - Parameters:
    /// - caller: the caller on whose behalf the code calls.
    ///   - customCode: the code that receives the credential.
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

    /// Returns the value that follows `Bearer`. It contains no dot, which distinguishes it from a JWT.
    func sealed(with key: SealingKey) throws -> String {
        let record: JSONValue = [
            "backend": .string(backend), "identity": .object(identity), "method": .string(method.rawValue),
            "roles": .array(roles.map(JSONValue.string)), "api": .string(customCode.api), "depth": .integer(Int64(customCode.depth)),
            "issued": .integer(issued.seconds), "expires": .integer(expires.seconds),
        ]
        return try SealedRecord.seal(record.serializedBytes(), key: key, context: Self.context)
    }

    /// - Returns: `nil` for a text that is not such a credential of this sandbox.
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

    /// Returns the caller on whose behalf the code calls, in its current state.
    /// - Throws: ``MobileError`` if the credential has expired, or if its caller or backend no longer exists.
    func caller(in cloud: Cloud) throws(MobileError) -> MobileCaller {
        guard !cloud.clock.hasExpired(expires, issuedAt: issued) else {
            throw MobileError(.invalidToken, "The token of the custom code has expired.")
        }
        let mobile = cloud.directory.mobile
        guard let backend = mobile.backend(id: backend) else {
            throw MobileError(.invalidToken, "The mobile backend of the custom code's caller does not exist any more.")
        }
        // An anonymous credential may come from code whose own caller used another method, so the method is not checked.
        if !identity.isEmpty { try method.admit(to: backend) }
        var caller = MobileCaller(backend: backend, identity: .anonymous, method: method, roles: Set(roles), customCode: customCode)
        if let name = identity["user"]?.stringValue {
            guard let user = mobile.realms[backend.realm]?.user(named: name), user.id == identity["id"]?.stringValue else {
                throw MobileError(.invalidToken, "The user on whose behalf the custom code calls does not exist any more.")
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
    /// Returns the caller on whose behalf custom code calls; `nil` for a token that is not a credential of custom code.
    /// - Throws: ``MobileError`` for an expired credential.
    func customCodeCaller(_ token: String) throws(MobileError) -> MobileCaller? {
        guard !token.contains("."), let credential = CustomCodeCredential(opening: token, key: cloud.sealingKey) else { return nil }
        return try credential.caller(in: cloud)
    }

    /// Begins an operation that only custom code may call.
    /// (REST API for Oracle Mobile Cloud Service: "For security reasons, you can call this operation only from custom API
    /// implementations".)
    /// - Throws: ``MobileError`` for any other caller, `InjectedFault`.
    func enter(customCode operation: String) async throws -> MobileCaller {
        let caller = try await enter(authenticating: operation)
        guard caller.customCode != nil else {
            throw MobileError(.forbidden, "Only implementations of custom APIs can call \(http.path), not apps.")
        }
        return caller
    }
}
