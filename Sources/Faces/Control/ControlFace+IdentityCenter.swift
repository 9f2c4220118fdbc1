import Calls
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import WireFormats

extension ControlFace {
    /// Logs in as a person of IAM Identity Center, as for a client that was approved.
    /// - Parameter name: `PERSON`, `PERSON/PERMISSIONSET` or `PERSON/PERMISSIONSET/ACCOUNT`; `nil` for the first one.
    func offer(centerUser name: String?, _ call: Call) async throws -> Response {
        typealias Source = (person: Person, account: String, set: String)
        guard let tokens = CenterTokens(in: call.cloud) else { throw Self.unknownSource(name, []) }
        var known: [Source] = []
        for person in tokens.provider.people.filter(\.isEnabled).sorted(by: { $0.name < $1.name }) {
            for own in tokens.center.access(of: person) {
                known += own.permissionSets.map { (person: person, account: own.account, set: $0) }
            }
        }
        func names(_ source: Source) -> [String] {
            let (person, short) = (source.person.name, "\(source.person.name)/\(source.set)")
            return [person, short, "\(short)/\(source.account)"]
        }
        guard let source = name.map({ name in known.first { names($0).contains { $0.equals(name) } } }) ?? known.first else {
            // The account is only named where the rest is the same.
            throw Self.unknownSource(
                name,
                known.map { source in
                    let same = known.filter { $0.person.name.equals(source.person.name) && $0.set.equals(source.set) }
                    return names(source)[same.count > 1 ? 2 : 1]
                })
        }
        let client = try CenterClient(
            registering: .init(name: "virga", redirectURIs: [], scopes: [CenterProfile.scope], grantTypes: []), in: call.cloud)
        let profile = CenterProfile(
            of: source.set, in: source.account, by: tokens.center, for: client, secret: try client.secret(in: call.cloud),
            tokens: try await tokens.issue(for: source.person.name, to: client))
        let role = Self.role(tokens.center.roleName(of: source.set, in: source.account), in: source.account, call)
        let files = JSONValue.object(JSONObject(profile.files.map { ($0.path, JSONValue.string($0.text)) }))
        return Self.response(to: .identityCenter, "\(source.person.name)/\(source.set)/\(source.account)", role: role) {
            [$0.files(files)]
        }
    }
}
