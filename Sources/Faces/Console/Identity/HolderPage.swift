import Calls
import WireFormats

/// A user, group or role: its policies, its keys and when they were used.
struct HolderPage {
    let account: AccountClient
    let kind: HolderKind
    let name: String

    private var scene: IdentityScene { account.scene }
    private var own: KeyValuePairs<String, String> { ["kind": kind.rawValue, "name": name] }

    /// A permission policy to begin with.
    static func example(_ account: AccountClient) -> String {
        account.isAWS
            ? """
            {
              "Version": "2012-10-17",
              "Statement": [
                {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::personal-files/*"}
              ]
            }
            """
            : """
            {
              "Version": "1",
              "Statement": [
                {"Effect": "Allow", "Action": "oss:GetObject", "Resource": "acs:oss:*:*:personal-photos/*"}
              ]
            }
            """
    }

    func response() async throws -> Response {
        let answer = try await account.call("Get\(kind.name)", [kind.parameter: name])
        var exchanges = [answer]
        var content: HTML = ExchangeView(exchange: answer).refusal
        if answer.isSuccess {
            let attached = try await account.call(
                account.isAWS ? "ListAttached\(kind.name)Policies" : "ListPoliciesFor\(kind.name)", [kind.parameter: name])
            exchanges.append(attached)
            content = """
                \(facts(answer))
                \(try await attachments(attached))
                \(account.isAWS ? try await inlinePolicies() : "")
                \(kind == .roles ? trust(answer) : "")
                \(kind == .users ? try await keys() : "")
                \(kind == .users ? try await groups() : "")
                \(kind == .groups ? try await members(answer) : "")
                <div class="row">\(scene.button("Delete the \(kind.word)", account.path("delete"), own, confirm: "Delete this \(kind.word)?", style: "danger"))</div>
                """
        }
        return scene.page(
            "\(kind.name) \(name)",
            """
            \(IdentityScene.trail([(account.id, account.path()), (name, account.path(kind.rawValue, name))]))
            <h1>\(kind.name) \(Parts.value(name, limit: 200))</h1>
            \(scene.resultBox)
            \(content)
            \(scene.calls(exchanges))
            """)
    }

    private func facts(_ answer: Exchange) -> HTML {
        let arn = answer.text(of: "Arn") ?? ""
        var rows: [(String, String)] = [("ARN", arn.isEmpty ? "acs:ram::\(account.id):\(kind.word)/\(name)" : arn)]
        for (element, title) in [
            ("Description", "Description"), ("DisplayName", "Display name"), ("Comments", "Comments"), ("CreateDate", "Created"),
            ("LastUsedDate", "Last used"), ("MaxSessionDuration", "Longest session in seconds"),
        ] {
            if let text = answer.text(of: element), !text.isEmpty { rows.append((title, text)) }
        }
        if kind == .roles, account.isAWS, answer.text(of: "LastUsedDate") == nil { rows.append(("Last used", "never")) }
        let lines = rows.map { title, value -> HTML in "<div><dt>\(title)</dt><dd>\(Parts.value(value, limit: 1_200))</dd></div>\n" }
        return "<dl class=\"facts\">\n\(lines)</dl>\n"
    }

    private func attachments(_ answer: Exchange) async throws -> HTML {
        let attached = answer.elements(of: account.isAWS ? "AttachedPolicies" : "Policies").map(account.policyName)
        let items = attached.map { policy -> HTML in
            """
            <li>\(scene.button("Detach", account.path("detach"), ["kind": kind.rawValue, "name": name, "policy": policy], label: "Detach \(policy)")) \
            \(account.link(policy: policy))</li>

            """
        }
        let common =
            account.isAWS
            ? ["AdministratorAccess", "AmazonS3FullAccess", "AmazonS3ReadOnlyAccess"].map { "arn:aws:iam::aws:policy/\($0)" }
            : ["AliyunOSSFullAccess", "AliyunOSSReadOnlyAccess", "AliyunSTSAssumeRoleAccess"].map { "System/\($0)" }
        let own = try await account.call("ListPolicies", account.isAWS ? ["Scope": "Local"] : ["PolicyType": "Custom"])
        let known = own.elements(of: "Policies").map(account.policyName) + common
        let options = known.filter { !attached.contains($0) }.map { policy -> HTML in "<option value=\"\(policy)\"></option>" }
        let hint = account.isAWS ? "ARN of a policy" : "Type and name, such as System/AliyunOSSFullAccess"
        return """
            <section aria-labelledby="attached"><h2 id="attached">Attached policies</h2>
            \(items.isEmpty ? "<p class=\"soft\">No policy is attached.</p>" as HTML : "<ul class=\"plain files\">\n\(items)</ul>")
            \(scene.form(account.path("attach"), self.own, style: "row"))
            <label for="policy">\(hint)</label><input id="policy" name="attached" list="known" required autocapitalize="none"><datalist id="known">\(options)</datalist>
            <button class="primary">Attach</button></form></section>

            """
    }

    private func inlinePolicies() async throws -> HTML {
        let list = try await account.call("List\(kind.name)Policies", [kind.parameter: name])
        var editors: [HTML] = []
        for (index, policy) in list.elements(of: "PolicyNames").map(\.text).enumerated() {
            let answer = try await account.call("Get\(kind.name)Policy", [kind.parameter: name, "PolicyName": policy])
            let text = answer.text(of: "PolicyDocument") ?? ""
            editors.append(
                """
                <details class="fold" open><summary>\(Parts.value(policy))</summary>
                \(scene.form(account.path("put-policy"), ["kind": kind.rawValue, "name": name, "policy": policy]))
                <label for="inline-\(String(index))" class="sr">Policy \(policy.visible)</label>
                <textarea id="inline-\(String(index))" name="document" rows="12" spellcheck="false">
                \(refused("put-policy", policy) ?? Layout.indented(percentDecoded(text) ?? text))</textarea>
                <p><button class="primary">Save the policy</button></p></form>
                \(scene.button("Delete the policy", account.path("delete-policy"), ["kind": kind.rawValue, "name": name, "policy": policy], confirm: "Delete this policy?", label: "Delete the policy \(policy)"))</details>

                """)
        }
        return """
            <section aria-labelledby="inline"><h2 id="inline">Inline policies</h2>
            \(editors.isEmpty ? "<p class=\"soft\">There is no inline policy.</p>" as HTML : "\(editors)")
            <details class="card fold"><summary>Add an inline policy</summary>
            \(scene.form(account.path("put-policy"), own))<div class="fields">
            \(scene.field("policy-name", "Name", "", key: "", isRequired: true, action: "put-policy"))\
            \(scene.field("document", "Document", Self.example(account), key: "", lines: 10, isRequired: true, action: ""))</div>
            <p><button class="primary">Add the policy</button></p></form></details></section>

            """
    }

    /// The document of a form that was refused, so that nothing that was typed is lost.
    private func refused(_ action: String, _ policy: String) -> String? {
        guard let result = scene.result, result.action == action, !result.isSuccess,
            result.form.first("policy").flatMap({ percentDecoded($0) }) == policy
        else { return nil }
        return result.form.first("document")
    }

    private func trust(_ answer: Exchange) -> HTML {
        let text = answer.text(of: "AssumeRolePolicyDocument") ?? ""
        let shown = scene.result.flatMap { $0.action == "trust" && !$0.isSuccess ? $0.form.first("document") : nil }
        return """
            <section aria-labelledby="trust"><h2 id="trust">Trust policy</h2>
            <p class="soft">Who may assume the role.</p>
            \(scene.form(account.path("trust"), own))<label for="trust-document" class="sr">Trust policy</label>
            <textarea id="trust-document" name="document" rows="14" spellcheck="false">
            \(shown ?? Layout.indented(account.isAWS ? percentDecoded(text) ?? text : text))</textarea>
            <p><button class="primary">Save the trust policy</button></p></form></section>

            """
    }

    private func keys() async throws -> HTML {
        let list = try await account.call("ListAccessKeys", ["UserName": name])
        var rows: [HTML] = []
        let keys = list.xml.map { _ in list.elements(of: account.isAWS ? "AccessKeyMetadata" : "AccessKeys") } ?? []
        for key in keys {
            let id = key.child("AccessKeyId")?.text ?? ""
            let isActive = key.child("Status")?.text == "Active"
            let use = try await account.call(
                "GetAccessKeyLastUsed", account.isAWS ? ["AccessKeyId": id] : ["UserName": name, "UserAccessKeyId": id])
            let service = use.text(of: "ServiceName").map { " by \($0)" } ?? ""
            let date = use.text(of: "LastUsedDate") ?? ""
            rows.append(
                """
                <tr><th scope="row"><code>\(Parts.value(id))</code></th><td data-label="State">\(isActive ? "active" : "inactive")</td>\
                <td data-label="Created">\(StoreScene.time(key.child("CreateDate")?.text ?? ""))</td><td data-label="Last use">\(date.isEmpty ? "never" : Parts.value(StoreScene.time(date) + service))</td>\
                <td data-label="Actions" class="files">\(scene.button(isActive ? "Deactivate" : "Activate", account.path("set-key"), ["kind": kind.rawValue, "name": name, "key": id, "status": isActive ? "Inactive" : "Active"], label: "\(isActive ? "Deactivate" : "Activate") \(id)"))\
                \(scene.button("Delete", account.path("delete-key"), ["kind": kind.rawValue, "name": name, "key": id], confirm: "Delete this access key?", label: "Delete \(id)"))</td></tr>

                """)
        }
        return """
            <section aria-labelledby="keys"><h2 id="keys">Access keys</h2>
            \(rows.isEmpty ? "<p class=\"soft\">The user has no access key.</p>" as HTML : """
            <div class="scroll" tabindex="0" role="region" aria-labelledby="keys"><table class="stack"><thead><tr><th scope="col">Key</th><th scope="col">State</th>\
            <th scope="col">Created</th><th scope="col">Last use</th><th scope="col">Actions</th></tr></thead><tbody>
            \(rows)</tbody></table></div>
            """)
            <div class="row">\(scene.button("Create an access key", account.path("create-key"), own, style: ""))</div></section>

            """
    }

    private func groups() async throws -> HTML {
        let list = try await account.call("ListGroupsForUser", ["UserName": name])
        let items = list.elements(of: "Groups").compactMap { $0.child("GroupName")?.text }.map { group -> HTML in
            """
            <li>\(scene.button("Leave", account.path("leave"), ["kind": kind.rawValue, "name": name, "group": group], label: "Leave \(group)")) \
            <a href="\(account.path("groups", group))">\(Parts.value(group))</a></li>

            """
        }
        let all = try await account.call("ListGroups").elements(of: "Groups").compactMap { $0.child("GroupName")?.text }
        let options = all.map { group -> HTML in "<option value=\"\(group)\">\(group.visible)</option>" }
        let join: HTML =
            all.isEmpty
            ? ""
            : """
            \(scene.form(account.path("join"), own, style: "row"))<label for="group">Group</label><select id="group" name="joined">\(options)</select><button>Join</button></form>
            """
        return """
            <section aria-labelledby="groups"><h2 id="groups">Groups</h2>
            \(items.isEmpty ? "<p class=\"soft\">The user is in no group.</p>" as HTML : "<ul class=\"plain files\">\n\(items)</ul>")
            \(join)</section>

            """
    }

    private func members(_ answer: Exchange) async throws -> HTML {
        let list = account.isAWS ? answer : try await account.call("ListUsersForGroup", ["GroupName": name])
        let items = list.elements(of: "Users").compactMap { $0.child("UserName")?.text }.map { user -> HTML in
            "<li><a href=\"\(account.path("users", user))\">\(Parts.value(user))</a></li>\n"
        }
        return """
            <section aria-labelledby="members"><h2 id="members">Members</h2>
            \(items.isEmpty ? "<p class=\"soft\">No user is in the group. A user joins it on the user's page.</p>" as HTML : "<ul class=\"plain\">\n\(items)</ul>")</section>

            """
    }
}
