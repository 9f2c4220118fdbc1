import Calls
import Cloud

/// Why an endpoint has no response, apart from the errors of its protocol. The front of each provider converts every case.
enum EndpointFailure {
    /// An error on demand.
    case injected(InjectedFault)
    /// The form of the request cannot be read.
    case form(FormFault)
    /// A client or a person was removed while the request was handled, or the access was revoked.
    case removed(GrantRefusal)
    /// An unexpected error, which is noted and not shown, or a full storage.
    case unexpected(any Error)
}

extension Visit {
    /// Performs a route, and converts what it throws.
    /// - Parameters:
    ///   - refusing: converts an error of the provider's protocol.
    ///   - failing: converts another failure.
    func respond<Refusal: Error>(
        _ route: () async throws -> Response, refusing: (Refusal) -> Response, failing: (EndpointFailure) -> Response
    ) async -> Response {
        do {
            return try await route()
        } catch let error as Refusal {
            return refusing(error)
        } catch let page as FaultPage {
            return page.shown(in: self)
        } catch GrantRefusal.provider {
            return .unknownProvider(of: call, isRealm: manners.isRealm)
        } catch let refusal as GrantRefusal {
            return failing(.removed(refusal))
        } catch let fault as InjectedFault {
            return failing(.injected(fault))
        } catch let fault as FormFault {
            return failing(.form(fault))
        } catch {
            if !FullStorage.isCause(of: error) { call.note(failure: error) }
            return failing(.unexpected(error))
        }
    }
}
