import Calls
import ControlDocuments
import WireFormats

/// A managed policy: its document, which a new version replaces, and what recorded requests used of it.
struct ManagedPolicyPage {
    let account: AccountClient
    /// The ARN; at RAM the type and name.
    let id: String

    private var scene: IdentityScene { account.scene }

    func response() async throws -> Response {
        let policy = try await account.call("GetPolicy", account.policyParameters(id))
        var exchanges = [policy]
        var text = policy.text(of: "PolicyDocument") ?? ""
        if account.isAWS, let version = policy.text(of: "DefaultVersionId") {
            let answer = try await account.call("GetPolicyVersion", ["PolicyArn": id, "VersionId": version])
            exchanges.append(answer)
            text = answer.text(of: "Document") ?? ""
            text = percentDecoded(text) ?? text
        }
        let isOwn = account.isAWS ? !id.hasPrefix("arn:aws:iam::aws:") : !id.hasPrefix("System/")
        let shown =
            scene.result.flatMap { $0.action == "save-version" && !$0.isSuccess ? $0.form.first("document") : nil } ?? Layout.indented(text)
        let editor: HTML =
            isOwn
            ? """
            \(scene.form(account.path("save-version"), ["policy": id]))<label for="document" class="sr">Document</label>
            <textarea id="document" name="document" rows="18" spellcheck="false">
            \(shown)</textarea>
            <p><button class="primary">Save as the new version</button></p></form>
            <div class="row">\(scene.button("Delete the policy", account.path("delete-managed"), ["policy": id], confirm: "Delete this policy?", style: "danger"))</div>
            """
            : "<p class=\"soft\">This policy is the cloud's own. It cannot be changed.</p>\n\(Parts.code(Layout.indented(text), id: "document", label: "the document"))"
        return scene.page(
            "Policy \(id)",
            """
            \(IdentityScene.trail([(account.id, account.path()), (id, account.path("policies", id))]))
            <h1>\(Parts.value(id, limit: 300))</h1>
            \(scene.resultBox)
            \(policy.isSuccess ? "<p>\(Parts.value(policy.text(of: "Description") ?? ""))</p>\n\(editor)" as HTML : ExchangeView(exchange: policy).refusal)
            \(policy.isSuccess ? await coverage : [])
            \(scene.calls(exchanges))
            """)
    }

    /// The coverage of the policy, once for each way in which it is attached.
    private var coverage: [HTML] {
        get async {
            let answer = await scene.visit.client.get("/usage/coverage", ["policy": account.policyARN(id)])
            let coverage = answer.document(CoverageMembers.self)
            return coverage.policies.enumerated().map { index, policy in
                CoverageMap(policy: policy, requests: coverage.requests, isComplete: coverage.complete, id: "coverage-\(index)").html
            }
        }
    }
}
