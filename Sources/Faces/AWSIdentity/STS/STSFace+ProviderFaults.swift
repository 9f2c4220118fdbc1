import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

extension STSFace {
    /// Applies errors on demand to the request with which the real service would verify a token at the identity provider. It lets tests
    /// simulate an outage or a rejection by the provider.
    ///
    /// A server error of the provider counts as unreachable, a client error as a rejection of the token.
    /// - Throws: `WebIdentityError`.
    func applyProviderFaults(of input: AssumeRoleWithWebIdentityInput, _ call: Call) async throws {
        let directory = call.cloud.directory
        let provider: IdentityProvider?
        if let providerID = input.providerID {
            provider = IdentityProvider.Kind(providerID: providerID).flatMap(directory.provider(ofKind:))
        } else {
            let issuer = (try? JSONWebToken(parsing: input.webIdentityToken))?.claims["iss"]?.stringValue
            provider = issuer.flatMap { directory.provider(issuer: $0, names: call.names) }
        }
        guard let provider else { return }
        let grant = try call.cloud.grants.find(input.webIdentityToken, kind: .accessToken, at: provider.name)
        let outcome = try await call.applyFaults(
            calling: FaultableCall(
                service: provider.name, action: provider.kind.descriptor.verifyingOperation, caller: grant?.person))
        switch outcome {
        case .answered: return
        case .lost: throw WebIdentityError.unreachableProvider
        case .failed(let fault):
            let status = Self.status(of: fault, at: provider.kind)
            guard status.kind == .clientError else { throw WebIdentityError.unreachableProvider }
            guard let name = input.providerID else { throw WebIdentityError.noVerificationKey }
            throw WebIdentityError.refusal(of: name, status: "\(status.code) \(status.reasonPhrase)")
        }
    }

    /// The statuses of providers' rejections, with their reason phrases. A status created from its number has no phrase.
    private static let refusals: [HTTPResponse.Status] = [
        .badRequest, .unauthorized, .forbidden, .notFound, .conflict, .gone, .tooManyRequests,
    ]

    /// Returns the status with which the provider responds.
    private static func status(of fault: InjectedFault, at kind: IdentityProvider.Kind) -> HTTPResponse.Status {
        let code = fault.failure.code
        let number = fault.failure.status ?? FaultCatalogue.status(of: code, at: kind) ?? 400
        return refusals.first { $0.code == number } ?? HTTPResponse.Status(code: number)
    }
}
