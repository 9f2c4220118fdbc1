import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolSignIn {
    /// The challenge of the SRP protocol. It has no session: its secret block is one.
    func passwordVerifier(_ parameters: TextDictionary<String>, _ validation: JSONObject) async throws -> JSONValue {
        let name = try Self.required("USERNAME", in: parameters)
        let text = try Self.publicValue(in: parameters)
        try client.check(secretHash: parameters["SECRET_HASH"], of: name)
        try await admit(name, validation)
        let user = cloud.directory.userPools.user(signingInAs: name, in: pool)
        if user == nil, !client.hidesUnknownUsers { throw UserPoolError.unknownUser }
        return try passwordVerifier(for: user, named: name, publicValue: text)
    }

    /// Returns the public value of the client.
    static func publicValue(in parameters: TextDictionary<String>) throws(UserPoolError) -> String {
        let text = try required("SRP_A", in: parameters)
        guard [UInt8](hex: padded(text)) != nil, text.utf8.count <= 2 * 384 + 2 else { throw .invalidParameter("SRP_A is not a number") }
        return text
    }

    /// Returns the challenge for a person.
    /// - Parameters:
    ///   - user: the person; `nil` for one who does not exist.
    ///   - text: the public value of the client.
    ///   - details: what the session has besides.
    func passwordVerifier(
        for user: UserPoolUser?, named name: String, publicValue text: String, details: JSONObject = [:]
    ) throws -> JSONValue {
        if user?.status == .resetRequired {
            throw UserPoolError("PasswordResetRequiredException", "Password reset required for the user")
        }
        // It is made for everybody, so that the time does not tell who exists.
        let pretended = PretendedUser(name, in: pool, of: cloud)
        let hidden = try pretended.password()
        let identity = user?.username ?? pretended.username
        let password = user?.password ?? hidden
        let secret = try SecureRemotePassword.newSecret()
        let value = try SecureRemotePassword.publicValue(secret: secret, verifier: password.verifier)
        var kept = details
        kept["a"] = .string(text)
        kept["b"] = .string(secret.hex)
        let session = try UserPoolSession(
            challenge: "PASSWORD_VERIFIER", client: client, sub: user?.sub ?? "", issued: cloud.clock.now, details: kept)
        return [
            "ChallengeName": "PASSWORD_VERIFIER",
            "ChallengeParameters": [
                "SALT": .string(password.salt.hex), "SECRET_BLOCK": .string(try session.secretBlock(in: cloud)),
                "SRP_B": .string(value.hex), "USERNAME": .string(identity), "USER_ID_FOR_SRP": .string(identity),
            ],
        ]
    }

    /// Checks the proof of the SRP protocol.
    func answerPasswordVerifier(_ responses: TextDictionary<String>) async throws -> Outcome {
        let proof = try presentedProof("PASSWORD_VERIFIER", responses)
        let name = try Self.required("USERNAME", in: responses)
        let found = cloud.directory.userPools.user(sub: proof.session.sub, in: pool.id)
        guard let expected = try expectedSignature(of: proof, from: found, named: name), constantTimeEquals(expected, proof.signature),
            let user = found, user.password != nil
        else { throw UserPoolError.wrongPassword }
        // Clients repeat the proof without a device that is forgotten, and so it is not used up.
        _ = try knownDevice(of: user)
        guard proof.session.use(in: cloud) else { throw UserPoolError.wrongPassword }
        if proof.session.details["history"] != nil {
            guard var signIn = customSignIn(of: proof.session, as: user.username) else { throw UserPoolError.wrongPassword }
            signIn.note("PASSWORD_VERIFIER", true)
            return try await proceed(signIn)
        }
        return try await proceed(user)
    }

    /// Opens the session of a proof. A session of another challenge, or that has expired, is a wrong password.
    func presentedProof(_ challenge: String, _ responses: TextDictionary<String>) throws(UserPoolError) -> PresentedProof {
        let name = try Self.required("USERNAME", in: responses)
        let signature = try Self.required("PASSWORD_CLAIM_SIGNATURE", in: responses)
        let block = try Self.required("PASSWORD_CLAIM_SECRET_BLOCK", in: responses)
        let timestamp = try Self.required("TIMESTAMP", in: responses)
        try client.check(secretHash: responses["SECRET_HASH"], of: name)
        guard let session = UserPoolSession(secretBlock: block, in: cloud), session.challenge == challenge,
            session.client == client.id, !session.hasExpired(at: client, in: cloud), let time = Timestamp(claim: timestamp),
            abs((time - http.arrived).components.seconds) <= Self.tolerance, let bytes = [UInt8](base64: block)
        else { throw .wrongPassword }
        return PresentedProof(session: session, block: bytes, signature: signature, timestamp: timestamp)
    }

    /// Returns the proof that a client with the password sends. It is computed for unknown people as well, so that the time of an answer does
    /// not reveal who exists.
    /// - Parameters:
    ///   - proof: the proof that the client sent.
    ///   - user: the person; `nil` for a pretended one, whose proof is never accepted.
    ///   - name: the name in the answer.
    /// - Returns: `nil` if the public value of the client has no proof.
    func expectedSignature(of proof: PresentedProof, from user: UserPoolUser?, named name: String) throws -> String? {
        let hidden = try PretendedUser(name, in: pool, of: cloud).password()
        return proof.expectedSignature((user?.password ?? hidden).verifier, of: pool.shortName + (user?.username ?? name))
    }

    /// The seconds by which the time of a proof may differ from real time. AWS's limit is not public: "within a few seconds".
    private static let tolerance: Int64 = 300

    /// Returns a number with an even count of hexadecimal digits.
    fileprivate static func padded(_ hex: String) -> String { hex.utf8.count % 2 == 0 ? hex : "0" + hex }
}

/// A proof of the SRP protocol, as a client presents it.
struct PresentedProof: Sendable {
    /// The session in the secret block.
    let session: UserPoolSession
    fileprivate let block: [UInt8]
    fileprivate let signature: String
    fileprivate let timestamp: String

    /// Returns whether the client knows the secret that belongs to a verifier.
    /// - Parameter identity: the text before the colon and the secret.
    func shows(_ verifier: [UInt8], of identity: String) -> Bool {
        guard let expected = expectedSignature(verifier, of: identity) else { return false }
        return constantTimeEquals(expected, signature)
    }

    /// Returns the signature of a client that knows the secret of a verifier; `nil` if the public value of the client has none.
    func expectedSignature(_ verifier: [UInt8], of identity: String) -> String? {
        guard let value = session.details["a"]?.stringValue.flatMap({ [UInt8](hex: UserPoolSignIn.padded($0)) }),
            let secret = session.details["b"]?.stringValue.flatMap({ [UInt8](hex: $0) }),
            let key = try? SecureRemotePassword.key(client: value, secret: secret, verifier: verifier)
        else { return nil }
        let message = Array(identity.utf8) + block + Array(timestamp.utf8)
        return hmacSHA256(key: key, message).base64
    }
}

extension Timestamp {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads the time of a proof, such as `Fri Sep 4 13:50:15 UTC 2026`.
    init?(claim text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 6, parts[4] == "UTC", let month = Self.months.firstIndex(of: parts[1]), let day = Int64(parts[2]),
            let year = Int64(parts[5])
        else { return nil }
        let time = parts[3].split(separator: ":").compactMap { Int64(String($0)) }
        guard time.count == 3,
            let date = CivilDate(year: year, month: Int64(month + 1), day: day, hour: time[0], minute: time[1], second: time[2])
        else { return nil }
        self = date.timestamp
    }
}
