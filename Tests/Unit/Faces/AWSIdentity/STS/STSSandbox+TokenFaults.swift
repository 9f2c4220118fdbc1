import Federation
import Testing
import Tokens

@testable import AWSIdentityFaces

/// The error messages of the service.
enum TokenRefusal {
    static let notValidated =
        "The web identity token provided could not be validated. See the AssumeRoleWithWebIdentity documentation for requirements."
    static let noKey =
        "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements"
    static let notAToken = "The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)"
}

extension STSSandbox {
    /// A token of alice with a fault, as the control API makes it.
    func token(with fault: TokenFault, algorithm: SignatureAlgorithm? = nil) async throws -> String {
        var order = TokenOrder(provider: "company", user: "alice")
        order.fault = fault
        order.algorithm = algorithm
        return try await TokenMint(cloud: cloud).token(order, issuerOrigin: "http://localhost:4566").token
    }

    func expectRefusal(_ token: String, _ message: String, _ comment: Comment? = nil) async throws {
        let answer = try await assume("company", token)
        #expect(answer.status == 400, comment)
        #expect(answer.code == "InvalidIdentityToken", comment)
        #expect(answer.message == message, comment)
        #expect(issuers.asked.isEmpty)
    }
}
