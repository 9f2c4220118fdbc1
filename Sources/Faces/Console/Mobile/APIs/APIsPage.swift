import Calls
import WireFormats

/// *APIs*: the custom APIs, and the platform's.
struct APIsPage: MobilePage {
    let site: MobileSite
    let title = "APIs"
    let section = MobileSection.apis

    func content(_ draft: MobileDraft) async throws -> HTML {
        let apis = await site.list("apis").compactMap(\.objectValue)
        let rows = apis.map { api -> [HTML] in
            let key = api.versionedName
            return [
                "<a href=\"\(MobileRoom.path("apis", key))\">\(Parts.value(key))</a>", APISecurity(api).summary,
                "\(String(api["endpoints"]?.arrayValue?.count ?? 0))",
                "<a href=\"\(MobileRoom.path("apis", key, "test"))\">Test<span class=\"sr\"> \(Parts.value(key))</span></a>",
            ]
        }
        return """
            <p class="soft">Custom APIs are called below <code>/mobile/custom/</code>. A backend offers those that its page <em>APIs</em> selects.</p>
            \(table(
                "Custom APIs", ["API", "Security", "Endpoints", "Test"], rows,
                empty: "<p>The seed has no <code>customAPIs</code>. The seed of Ridgeline has five:</p>\(Parts.code("virga serve --seed seed/mobile-cloud.json5", id: "seed", label: "the command"))"))
            <p><a href="\(MobileRoom.path("apis", "platform", "test"))">Test the platform APIs</a></p>
            \(callsBehind([("GET", "apis", nil)]))
            """
    }
}
