import HTTPTypes
import Policy
import WireFormats

/// Reads what upstreams know of resources: policies, grants and tags.
struct ResourceReader: Sendable {
    /// The most pages of grants or tags that are read: 1,000 grants.
    private static let mostPages = 10

    let client: UpstreamClient
    let policies: KnownPolicies

    /// Returns the policies on a resource, which are looked up if they are not known.
    func access(by lookUp: ResourceLookUp, _ place: OwnRequestPlace) async throws -> ResourceAccess {
        if let known = policies.access(to: lookUp.holder) { return known }
        let change = policies.change
        let answer = try await client.ask(
            lookUp.request(origin: place.origin), account: lookUp.account, region: lookUp.region, place)
        let text = try lookUp.policy(in: answer)
        var access = ResourceAccess(
            reading: text, of: lookUp.holder, isRequired: lookUp.isRequired, exists: !answer.isAbsence)
        if lookUp.hasGrants, text != nil { access.grants = try await grants(by: lookUp, place) }
        policies.keep(access, of: lookUp.holder, since: change)
        return access
    }

    /// Returns the grants of a key.
    private func grants(by lookUp: ResourceLookUp, _ place: OwnRequestPlace) async throws -> [AttachedPolicy] {
        var found: [AttachedPolicy] = []
        var marker: String?
        for _ in 0..<Self.mostPages {
            let answer = try await client.ask(
                lookUp.grantsRequest(after: marker), account: lookUp.account, region: lookUp.region, place)
            guard answer.isSuccessful else {
                if answer.isAbsence { return found }
                throw UpstreamFailure("the request for the grants of \(lookUp.holder) was answered with \(answer.status.code)")
            }
            let page = answer.json
            for grant in page["Grants"]?.arrayValue ?? [] { found += KeyGrant.policies(grant, on: lookUp.holder) }
            guard page["Truncated"]?.boolValue == true, let next = page["NextMarker"]?.stringValue else { return found }
            marker = next
        }
        throw UpstreamFailure("\(lookUp.holder) has more grants than Virga reads")
    }

    /// Returns the tags of a resource. They are not kept, so that a change counts at once.
    func tags(by lookUp: ResourceLookUp, _ place: OwnRequestPlace) async throws -> [Tag] {
        var found: [Tag] = []
        var marker: String?
        for _ in 0..<Self.mostPages {
            let answer = try await client.ask(
                lookUp.tagsRequest(origin: place.origin, after: marker), account: lookUp.account, region: lookUp.region, place)
            let page = try lookUp.tags(in: answer)
            found += page.tags
            guard let next = page.next else { return found }
            marker = next
        }
        throw UpstreamFailure("\(lookUp.holder) has more tags than Virga reads")
    }
}
