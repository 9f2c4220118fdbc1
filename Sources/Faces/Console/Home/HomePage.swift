import Calls
import ControlDocuments
import WireFormats

/// The first page: what runs, how to point clients at it, and the last refusals.
struct HomePage {
    let visit: Visit

    func response() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let denied = await visit.client.get("/journal", ["denied": "true", "exclude": "face:control", "limit": "5"])
        let last = await visit.client.get("/journal", ["exclude": "face:control", "limit": String(HomeChain.limit)])
        let progress = await visit.progress()
        let steps = last.document(JournalMembers.self).entries.map { JournalStep(json: $0.json) }
        let content: HTML = """
            <h1>Home</h1>
            <p class="soft">A local cloud, version \(info.version), at <code>\(visit.place.services)</code>.</p>
            \(progress.map { StudentSteps(progress: $0).html } ?? "")
            \(HomeChain(info: info, steps: steps).html)
            \(start(info))
            <div class="cards">
            \(cards(info))</div>
            \(ConnectPanel(visit: visit, info: info).html)
            <section aria-labelledby="denied">
            <h2 id="denied">Last refusals</h2>
            \(refusals(denied.document(JournalMembers.self).entries))
            </section>
            \(reset)
            """
        return ConsolePage(title: "Home", section: .home, content: content).response(for: visit, info: info)
    }

    private func start(_ info: CloudInfo) -> HTML {
        let providers = info.providers.filter { $0.people > 0 }
        guard !providers.isEmpty else {
            return """
                <section class="card"><h2>No person can log in</h2>
                <p>The seed has no identity provider with people. The built-in seed has four of them, and a bucket with a folder for each person:</p>
                \(Parts.code("virga serve", id: "start-empty", label: "the command"))</section>

                """
        }
        return """
            <section class="card lead"><h2>New here?</h2>
            <p>Log in as one of the seed's people, get temporary credentials for the login, and use them on a bucket. Each step shows its \
            request, its response and the policy that decided.</p>
            <p><a class="button primary" href="\(Visit.path("/playground"))">Start a walk</a></p></section>

            """
    }

    private func cards(_ info: CloudInfo) -> [HTML] {
        let aws = info.accounts.filter { $0.vendor == "aws" }
        let alibaba = info.accounts.filter { $0.vendor == "alibaba" }
        let (providers, services, counts) = (info.providers, info.services, info.counts)
        return [
            Self.card("AWS", "/identity", absent: aws.isEmpty ? "The seed has no account of AWS." : nil, accountLines(aws)),
            Self.card(
                "Alibaba Cloud", "/identity", absent: alibaba.isEmpty ? "The seed has no account of Alibaba Cloud." : nil,
                accountLines(alibaba)),
            Self.card(
                "Identity providers", "/identity", absent: providers.isEmpty ? "The seed has no identity provider." : nil,
                providers.map(providerLine)),
            Self.card(
                "Stores", "/store", absent: counts.buckets == 0 ? "There is no bucket yet: aws s3 mb s3://my-bucket" : nil,
                [Self.counted(counts.buckets, "bucket"), Self.counted(counts.objects, "object")]),
            Self.card(
                "Mobile cloud", "/mobile",
                absent: services.contains("mobile") ? nil : "Start with --seed seed/mobile-cloud.json5 to have one.",
                ["Oracle Mobile Cloud Service"]),
            Self.card(
                "Vending machines", "/playground?path=vending",
                absent: services.contains("tvm") ? nil : "Start with --seed seed/vending-machine.json5 to have them.",
                ["Token vending machines"]),
            forwarded(info.upstreams),
        ]
    }

    private func forwarded(_ upstreams: [Document<UpstreamMembers>]) -> HTML {
        let advice = "Start with --forward sqs=http://127.0.0.1:5000 to have them at another server."
        let lines = upstreams.map { Self.upstream($0) }
        return Self.card("Other AWS services", "/journal", absent: upstreams.isEmpty ? advice : nil, lines)
    }

    /// A server that services are forwarded to, and whether it answered the last request.
    private static func upstream(_ upstream: Document<UpstreamMembers>) -> HTML {
        let names = upstream.services
        let services = names.count > 5 ? "\(names.count) services" : names.joined(separator: ", ")
        let state =
            switch upstream.state {
            case "answering": "answers"
            case "unreachable": "does not answer: \(upstream.error ?? "")"
            default: "not used yet"
            }
        return "<code>\(Parts.value(upstream.address))</code> <span class=\"soft\">\(Parts.value("\(services): \(state)"))</span>"
    }

    private func accountLines(_ accounts: [Document<AccountMembers>]) -> [HTML] {
        accounts.map { account in
            let (users, roles) = (account.users, account.roles)
            return """
                <code>\(account.id.visible)</code> \
                <span class="soft">\(String(users)) \(users == 1 ? "user" : "users"), \(String(roles)) \(roles == 1 ? "role" : "roles")</span>
                """
        }
    }

    private func providerLine(_ provider: Document<ProviderMembers>) -> HTML {
        let (title, kind) = (ProviderPage.title(of: provider), ProviderPage.kind(of: provider))
        let people = provider.people
        return """
            \(Parts.value(title)) <span class="soft">\(title == kind ? "" : "\(kind), ")\(String(people)) \(people == 1 ? "person" : "people")</span>
            """
    }

    private static func counted(_ count: Int64, _ noun: String) -> HTML { "\(String(count)) \(count == 1 ? noun : "\(noun)s")" }

    private static func card(_ title: String, _ path: String, absent: String?, _ lines: [HTML]) -> HTML {
        if let absent { return "<section class=\"card absent\"><h2>\(title)</h2><p class=\"soft\">\(absent)</p></section>\n" }
        return
            "<section class=\"card\"><h2><a href=\"\(Visit.path(path))\">\(title)</a></h2><ul class=\"plain\">\(lines.map { line -> HTML in "<li>\(line)</li>" })</ul></section>\n"
    }

    private func refusals(_ entries: [Document<EntryMembers>]) -> HTML {
        guard !entries.isEmpty else { return "<p class=\"soft\">No request was refused so far.</p>" }
        return """
            <div class="scroll" tabindex="0" role="region" aria-labelledby="denied">\(JournalTable(entries: entries, withReason: true).html)</div>
            <p><a href="\(Visit.path("/journal"))?denied=true">All refusals</a></p>
            """
    }

    private var reset: HTML {
        """
        <details class="card fold"><summary>Reset the cloud</summary>
        <p>Every bucket, session, token and key that was made since the start is lost. The seeds are applied again.</p>
        <form method="post" action="\(Visit.path("/reset"))" class="row">\(visit.formToken)
        <label for="word">Type <strong>reset</strong> to confirm</label>
        <input id="word" name="word" autocomplete="off" autocapitalize="none" required pattern="[rR][eE][sS][eE][tT]">
        <button class="danger">Reset</button>
        </form></details>

        """
    }
}
