import Calls
import ControlDocuments
import WireFormats

/// What expires next: sessions of STS, logins at identity providers, and keys that leave their sets.
struct ExpiringList {
    private static let most = 20

    let visit: Visit
    let info: CloudInfo

    private struct Item {
        var kind: String
        var name: String
        /// In milliseconds of the sandbox's time.
        var end: Int64
    }

    func html() async -> HTML {
        let items = await all().filter { $0.end > info.nowMilliseconds }.sorted { $0.end < $1.end }
        guard !items.isEmpty else {
            return """
                <section aria-labelledby="next"><h2 id="next">What expires next</h2>
                <p class="empty">Nothing: there are no sessions of STS, logins or replaced keys. <a href="\(Visit.path("/playground"))">Start a walk</a> to get credentials.</p></section>

                """
        }
        let rows = items.prefix(Self.most).map { item -> HTML in
            let seconds = (item.end - info.nowMilliseconds) / 1000
            let still: HTML = info.isFrozen ? " data-still=\"true\"" : ""
            return """
                <tr><td>\(item.kind)</td><td>\(Parts.value(item.name, limit: 200))</td>\
                <td><span data-remaining="\(String(seconds))"\(still)>expires in \(String(seconds / 60)) min \(String(seconds % 60)) s</span></td></tr>

                """
        }
        let more: HTML = items.count > Self.most ? "<p class=\"soft\">\(String(items.count - Self.most)) more later.</p>\n" : ""
        let lifetimes = items.prefix(LifetimeDiagram.mostBars).map { item in
            LifetimeDiagram.Item(kind: item.kind, name: item.name, seconds: (item.end - info.nowMilliseconds) / 1000)
        }
        return """
            <section aria-labelledby="next"><h2 id="next">What expires next</h2>
            \(LifetimeDiagram(lifetimes).html)<div class="scroll" tabindex="0" role="region" aria-label="What expires next"><table class="stack">
            <thead><tr><th scope="col">Kind</th><th scope="col">Of</th><th scope="col">When</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>\(more)</section>

            """
    }

    private func all() async -> [Item] {
        var items: [Item] = []
        func time(_ text: String?) -> Int64? { text.flatMap { Timestamp(iso8601: $0)?.milliseconds } }
        for session in await Principal.all(visit.client) {
            if let end = time(session.expires) {
                items.append(Item(kind: "Session", name: session.arn, end: end))
            }
        }
        let keys = await visit.client.get("/keys").document(KeyListMembers.self).providers
        for (provider, published) in keys.objectValue?.members ?? [] {
            for key in [Document<KeyMembers>].read(published) ?? [] {
                if let end = time(key.leaves) {
                    items.append(Item(kind: "Replaced key", name: "\(provider) \(key.keyID)", end: end))
                }
            }
        }
        for provider in info.providers.prefix(50).map(\.name) {
            let answer = await visit.client.get("/providers/\(percentEncoded(provider))/sessions")
            for session in answer.document(LoginListMembers.self).sessions {
                if let end = time(session.expires) {
                    items.append(Item(kind: "Login", name: "\(session.person) at \(provider)", end: end))
                }
            }
        }
        return items
    }
}
