import Calls
import ControlDocuments
import WireFormats

/// The coverage of one policy.
struct CoveragePage {
    let visit: Visit
    let info: CloudInfo

    /// The path of the page of a policy.
    /// - Parameter file: the policy's path as a file, which is unique.
    static func path(_ file: String) -> String { "\(Visit.path("/policies/coverage"))?file=\(percentEncoded(file))" }

    /// - Throws: ``ConsoleRefusal`` if there is no such policy.
    func response() async throws -> Response {
        let file = visit.query.value("file") ?? ""
        let answer = await visit.client.get("/usage/coverage", ["file": file])
        if let refusal = answer.refusal { throw refusal }
        let coverage = answer.document(CoverageMembers.self)
        guard let policy = coverage.policies.first else { throw ConsoleRefusal.noSuchPage }
        let holder: HTML = policy.holder.isEmpty ? "" : " of \(Parts.name(policy.holder, limit: 300))"
        let content: HTML = """
            <h1>Coverage of \(Parts.name(policy.policy, limit: 300))</h1>
            \(PolicyViews.usage.links)
            <p class="soft">\(policy.policyType.visible)\(holder)</p>
            \(CoverageMap(policy: policy, requests: coverage.requests, isComplete: coverage.complete).html)
            <p><a href="\(PolicyViews.usage.path)">All policies</a></p>
            \(Parts.calls("curl '\(visit.place.services)/_virga/usage/coverage?file=\(percentEncoded(file))'"))

            """
        return ConsolePage(title: "Coverage", section: .policies, content: content).response(for: visit, info: info)
    }
}
