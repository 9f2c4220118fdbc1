import Cloud
import Cryptography
import Testing
import WireFormats

@testable import CognitoFaces

/// Answers to challenges of the SRP protocol.
enum SRPProof {
    /// Returns the answer to a challenge whose public value of the client is 4. The key is computed from the server's secret in the secret
    /// block: the arithmetic of clients has its own vectors.
    /// - Parameters:
    ///   - group: the text before the name in the identity.
    ///   - time: the time of the proof; `nil` for now.
    static func answer(
        _ sandbox: UserPoolSandbox, _ challenge: UserPoolSandbox.Answer, group: String = "AbCdEf123", identity: String? = nil,
        password: String = UserPoolSandbox.password, time: Timestamp? = nil
    ) throws -> JSONObject {
        let parameters = try #require(challenge["ChallengeParameters"])
        let block = try #require(parameters["SECRET_BLOCK"]?.stringValue)
        let name = try #require(parameters["USERNAME"]?.stringValue)
        let session = try #require(UserPoolSession(secretBlock: block, in: sandbox.cloud))
        let salt = try #require(parameters["SALT"]?.stringValue.flatMap { [UInt8](hex: $0) })
        let secret = try #require(session.details["b"]?.stringValue.flatMap { [UInt8](hex: $0) })
        let proven = group + (identity ?? name)
        let verifier = try SecureRemotePassword.verifier(identity: proven, password: password, salt: salt)
        let key = try SecureRemotePassword.key(client: [4], secret: secret, verifier: verifier)
        let text = timestamp(time ?? sandbox.cloud.clock.wall)
        let bytes = try #require([UInt8](base64: block))
        let message = Array(proven.utf8) + bytes + Array(text.utf8)
        return [
            "USERNAME": .string(name), "PASSWORD_CLAIM_SECRET_BLOCK": .string(block), "TIMESTAMP": .string(text),
            "PASSWORD_CLAIM_SIGNATURE": .string(hmacSHA256(key: key, message).base64),
        ]
    }

    /// Returns the time of a proof in the form of the clients.
    static func timestamp(_ time: Timestamp) -> String {
        let date = CivilDate(time)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "Fri \(months[Int(date.month) - 1]) \(date.day) \(two(date.hour)):\(two(date.minute)):\(two(date.second)) UTC \(date.year)"
    }
}
