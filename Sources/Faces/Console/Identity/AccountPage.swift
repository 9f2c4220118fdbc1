import Calls
import WireFormats

/// The users, groups, roles and policies of an account.
struct AccountPage {
    let account: AccountClient

    private var scene: IdentityScene { account.scene }

    func response() async throws -> Response {
        var exchanges: [Exchange] = []
        var sections: [HTML] = []
        for kind in HolderKind.allCases {
            let answer = try await account.call("List\(kind.title)")
            exchanges.append(answer)
            sections.append(section(kind, answer))
        }
        let policies = try await account.call("ListPolicies", account.isAWS ? ["Scope": "Local"] : ["PolicyType": "Custom"])
        exchanges.append(policies)
        return scene.page(
            "Account \(account.id)",
            """
            \(IdentityScene.trail([(account.id, account.path())]))
            <h1>Account <bdi>\(account.id.visible)</bdi></h1>
            <p class="soft">\(account.isAWS ? "AWS" : "Alibaba Cloud"), \(Parts.value(account.name.isEmpty ? "no name" : account.name)). Everything here is read and changed by \(account.service), as \
            <code>\(Parts.name(account.root))</code>.</p>
            \(scene.resultBox)
            \(sections)
            \(self.policies(policies))
            \(scene.calls(exchanges))
            """)
    }

    private func section(_ kind: HolderKind, _ answer: Exchange) -> HTML {
        let elements = answer.elements(of: kind.title)
        let rows = elements.map { element -> [HTML] in
            let name = element.child(kind.parameter)?.text ?? ""
            let details = [element.child("Description")?.text, element.child("DisplayName")?.text].compactMap(\.self).joined(separator: " ")
            return [
                "<a href=\"\(account.path(kind.rawValue, name))\">\(StoreScene.name(name))</a>", Parts.value(details),
                "\(StoreScene.time(element.child("CreateDate")?.text ?? ""))",
            ]
        }
        let headings = [kind.name, "Description", "Created"]
        let list =
            answer.isSuccess
            ? Parts.table(kind.title, headings, rows, empty: "There is no \(kind.word) yet. Create one.")
            : ExchangeView(exchange: answer).refusal
        let action = "create-\(kind.word)"
        let further: HTML =
            kind == .roles
            ? """
            \(scene.field("description", "Description", "", key: "", action: action))\
            \(scene.field("trust", "Trust policy", trust, key: "", lines: 12, isRequired: true, action: action))
            """ : ""
        return """
            <section aria-labelledby="\(kind.rawValue)"><h2 id="\(kind.rawValue)">\(kind.title)</h2>
            \(list)
            <details class="card fold"\(isOpen(action))><summary>Create a \(kind.word)</summary>
            \(scene.form(account.path(action)))<div class="fields">
            \(scene.field("\(kind.word)-name", "Name", "", key: "", isRequired: true, action: action))\(further)</div>
            <p><button class="primary">Create the \(kind.word)</button></p></form></details></section>

            """
    }

    /// A form stays open after it was refused.
    private func isOpen(_ action: String) -> HTML { scene.result?.action == action && scene.result?.isSuccess == false ? " open" : "" }

    /// A trust policy to begin with.
    private var trust: String {
        account.isAWS
            ? """
            {
              "Version": "2012-10-17",
              "Statement": [
                {"Effect": "Allow", "Principal": {"AWS": "\(account.root)"}, "Action": "sts:AssumeRole"}
              ]
            }
            """
            : """
            {
              "Version": "1",
              "Statement": [
                {"Effect": "Allow", "Principal": {"RAM": ["\(account.root)"]}, "Action": "sts:AssumeRole"}
              ]
            }
            """
    }

    private func policies(_ answer: Exchange) -> HTML {
        let rows = answer.elements(of: "Policies").map { element -> [HTML] in
            [
                account.link(policy: account.policyName(element)), Parts.value(element.child("Description")?.text ?? ""),
                Parts.value(element.child("AttachmentCount")?.text ?? ""),
            ]
        }
        let headings = ["Policy", "Description", "Attached to"]
        let action = "create-policy"
        return """
            <section aria-labelledby="policies"><h2 id="policies">Policies of the account</h2>
            \(answer.isSuccess ? "" : ExchangeView(exchange: answer).refusal)
            \(Parts.table("Policies of the account", headings, rows, empty: "The account has no policy of its own yet."))
            <details class="card fold"\(isOpen(action))><summary>Create a policy</summary>
            \(scene.form(account.path(action)))<div class="fields">
            \(scene.field("policy-name", "Name", "", key: "", isRequired: true, action: action))\
            \(scene.field("document", "Document", HolderPage.example(account), key: "", lines: 10, isRequired: true, action: action))</div>
            <p><button class="primary">Create the policy</button></p></form></details></section>

            """
    }
}
