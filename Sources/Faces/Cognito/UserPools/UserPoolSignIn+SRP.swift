import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolSignIn {
    /// The challenge of the SRP protocol. It has no session: its secret block is one.
    func passwordVerifier(_ parameters: TextDictionary<String>) throws -> JSONValue {
        let name = try Self.required("USERNAME", in: parameters)
        let text = try Self.required("SRP_A", in: parameters)
        try client.check(secretHash: parameters["SECRET_HASH"], of: name)
        guard [UInt8](hex: Self.padded(text)) != nil, text.utf8.count <= 2 * 384 + 2 else {
            throw UserPoolError.invalidParameter("SRP_A is not a number")
        }
        let user = cloud.directory.userPools.user(signingInAs: name, in: pool)
        if user == nil, !client.hidesUnknownUsers { throw UserPoolError.unknownUser }
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
        let session = try UserPoolSession(
            challenge: "PASSWORD_VERIFIER", client: client, sub: user?.sub ?? "", issued: cloud.clock.now,
            details: ["a": .string(text), "b": .string(secret.hex)])
        return [
            "ChallengeName": "PASSWORD_VERIFIER",
            "ChallengeParameters": [
                "SALT": .string(password.salt.hex), "SECRET_BLOCK": .string(try session.secretBlock(in: cloud)),
                "SRP_B": .string(value.hex), "USERNAME": .string(identity), "USER_ID_FOR_SRP": .string(identity),
            ],
        ]
    }

    /// Checks the proof of the SRP protocol.
    func answerPasswordVerifier(_ responses: TextDictionary<String>) async throws -> JSONValue {
        let name = try Self.required("USERNAME", in: responses)
        let signature = try Self.required("PASSWORD_CLAIM_SIGNATURE", in: responses)
        let block = try Self.required("PASSWORD_CLAIM_SECRET_BLOCK", in: responses)
        let timestamp = try Self.required("TIMESTAMP", in: responses)
        try client.check(secretHash: responses["SECRET_HASH"], of: name)
        guard let session = UserPoolSession(secretBlock: block, in: cloud), session.challenge == "PASSWORD_VERIFIER",
            session.client == client.id, !session.hasExpired(at: client, in: cloud), let time = Timestamp(claim: timestamp),
            abs((time - http.arrived).components.seconds) <= Self.tolerance
        else { throw UserPoolError.wrongPassword }
        let found = cloud.directory.userPools.user(sub: session.sub, in: pool.id)
        guard let expected = try expectedSignature(in: session, block: block, timestamp: timestamp, of: found, named: name),
            constantTimeEquals(expected, signature), let user = found, user.password != nil, session.use(in: cloud)
        else { throw UserPoolError.wrongPassword }
        return try await proceed(user)
    }

    /// Returns the proof that a client with the password sends. It is computed for unknown people as well, so that the time of an answer does
    /// not reveal who exists.
    /// - Parameters:
    ///   - user: the person; `nil` for a pretended one, whose proof is never accepted.
    ///   - name: the name in the answer.
    /// - Returns: `nil` if the public value of the client has no proof.
    func expectedSignature(
        in session: UserPoolSession, block: String, timestamp: String, of user: UserPoolUser?, named name: String
    ) throws -> String? {
        let hidden = try PretendedUser(name, in: pool, of: cloud).password()
        let verifier = (user?.password ?? hidden).verifier
        guard let bytes = [UInt8](base64: block),
            let value = session.details["a"]?.stringValue.flatMap({ [UInt8](hex: Self.padded($0)) }),
            let secret = session.details["b"]?.stringValue.flatMap({ [UInt8](hex: $0) }),
            let key = try? SecureRemotePassword.key(client: value, secret: secret, verifier: verifier)
        else { return nil }
        let message = Array((pool.shortName + (user?.username ?? name)).utf8) + bytes + Array(timestamp.utf8)
        return hmacSHA256(key: key, message).base64
    }

    /// The seconds by which the time of a proof may differ from real time. AWS's limit is not public: "within a few seconds".
    private static let tolerance: Int64 = 300

    /// Returns a number with an even count of hexadecimal digits.
    private static func padded(_ hex: String) -> String { hex.utf8.count % 2 == 0 ? hex : "0" + hex }
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
