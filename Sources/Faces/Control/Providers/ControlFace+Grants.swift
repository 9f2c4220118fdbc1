import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `DELETE /_virga/providers/<name>/people/<person>/grants`: revokes the codes, tokens and consents that the provider's clients received
    /// for a person. Browser sessions continue; `…/sessions` ends them.
    func revokeGrants(_ call: Call, path: String) async throws -> Response {
        let (provider, person) = try Self.person(at: path, call)
        try await call.cloud.grants.revokeAll(provider: provider.name, clients: provider.clients.map(\.id), person: person.name)
        return .json(["status": "ok"])
    }

    /// `GET /_virga/providers/<name>/people/<person>/subjects`: returns the identifier by which each client knows a person. They differ for
    /// pairwise subjects and for apps with app-scoped IDs.
    func listSubjects(_ call: Call, path: String) throws -> Response {
        let (provider, person) = try Self.person(at: path, call)
        let subjects = provider.clients.map { client in
            Document<SubjectMembers> { [$0.client(client.id), $0.subject(provider.identifier(of: person, for: client))] }
        }
        return .json(Document<SubjectListMembers> { [$0.subjects(subjects)] }.json)
    }

    /// Returns the person of a path `/providers/<name>/people/<person>/…`.
    private static func person(at path: String, _ call: Call) throws(ControlError) -> (IdentityProvider, Person) {
        let segments = path.split(separator: "/").map { percentDecoded($0) ?? "" }
        let provider = try call.cloud.directory.provider(called: segments[1])
        guard let person = provider.person(named: segments[3]) else {
            throw ControlError(.notFound, "unknown_person", "The provider has no person '\(segments[3])'.")
        }
        return (provider, person)
    }
}
