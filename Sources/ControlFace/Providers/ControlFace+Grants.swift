import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `DELETE /_virga/providers/<name>/people/<person>/grants`: revokes the codes, tokens and consents that the provider's clients received
    /// for a person. Browser sessions continue; `…/sessions` ends them.
    func revokeGrants(_ call: Call, path: String) async throws -> Response {
        // The path is /providers/<name>/people/<person>/grants.
        let segments = path.split(separator: "/").map { percentDecoded($0) ?? "" }
        let (name, person) = (segments[1], segments[3])
        let provider = try call.cloud.directory.provider(called: name)
        guard provider.people.contains(where: { $0.name == person }) else {
            throw ControlError(.notFound, "unknown_person", "The provider has no person '\(person)'.")
        }
        try await call.cloud.grants.revokeAll(provider: name, clients: provider.clients.map(\.id), person: person)
        return .json(["status": "ok"])
    }
}
