import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

extension STSFace {
    /// The call to the identity provider by which the real service finds out about a token, where errors on demand can strike it: whoever
    /// plays a provider's outage or refusal sees what becomes of it here.
    ///
    /// The provider's errors of the server's side count as not being reached, its refusals as having rejected the token.
    /// - Throws: `WebIdentityError`.
    func askProvider(of input: AssumeRoleWithWebIdentityInput, _ call: Call) async throws {
        let directory = call.cloud.directory
        let provider: IdentityProvider?
        let operation: String
        switch input.providerID {
        case "graph.facebook.com":
            provider = directory.providers.values.first { $0.kind == .facebook }
            operation = "Me"
        case "www.amazon.com":
            provider = directory.providers.values.first { $0.kind == .amazon }
            operation = "TokenInfo"
        case nil:
            let issuer = (try? JSONWebToken(parsing: input.webIdentityToken))?.claims["iss"]?.stringValue
            provider = issuer.flatMap { directory.provider(issuer: $0, names: call.names) }
            operation = "KeySet"
        default: return
        }
        guard let provider else { return }
        let grant = try call.cloud.grants.find(input.webIdentityToken, kind: .accessToken, at: provider.name)
        let outcome = try await call.meetFaults(
            calling: FaultableCall(service: provider.name, action: operation, caller: grant?.person))
        switch outcome {
        case .answered: return
        case .lost: throw WebIdentityError.unreachableProvider
        case .failed(let fault):
            let status = Self.status(of: fault, at: provider.kind)
            guard status.kind == .clientError else { throw WebIdentityError.unreachableProvider }
            guard let name = input.providerID else { throw WebIdentityError.noVerificationKey }
            throw WebIdentityError.rejected("\(name): \(name) responded with HTTP/1.1 \(status.code) \(status.reasonPhrase)")
        }
    }

    /// Those that providers refuse with, and their phrases; a status that is made of its number has none.
    private static let refusals: [HTTPResponse.Status] = [
        .badRequest, .unauthorized, .forbidden, .notFound, .conflict, .gone, .tooManyRequests,
    ]

    /// With what status the provider answers.
    private static func status(of fault: InjectedFault, at kind: IdentityProvider.Kind) -> HTTPResponse.Status {
        let code = fault.failure.code
        let known = kind == .facebook ? FaultCatalogue.graphEntry(code)?.status : FaultCatalogue.oauthEntry(code)?.status
        let number = fault.failure.status ?? known ?? 400
        return refusals.first { $0.code == number } ?? HTTPResponse.Status(code: number)
    }
}
