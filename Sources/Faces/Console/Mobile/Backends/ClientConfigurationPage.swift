import Calls
import WireFormats

/// A backend's configuration files for the client SDKs.
struct ClientConfigurationPage: BackendPage {
    let site: MobileSite
    let key: String

    var title: String { "\(key) SDK configuration" }

    private static let files = [
        ("OMC.plist", "iOS"), ("oracle_mobile_cloud_config.xml", "Android"), ("oracle_mobile_cloud_config.js", "JavaScript"),
        ("oracle_mobile_cloud_config.json", "Cordova and others"),
    ]

    func content(_ draft: MobileDraft) async throws -> HTML {
        _ = try await site.part("backends", key)
        var blocks: [HTML] = []
        for (index, file) in Self.files.enumerated() {
            let answer = await site.visit.client.get("/mobile/backends/\(percentEncoded(key))/sdk/\(file.0)")
            blocks.append(
                """
                <details class="fold"><summary>Show \(file.0) (\(file.1))</summary>
                \(Parts.code(Layout.indented(answer.text), id: "sdk-\(index)", label: file.0))</details>

                """)
        }
        return """
            \(tabs)
            <p>Copy a file into the app's project. It has the keys of every method that is switched on, and this server's address.</p>
            \(blocks)
            \(callsBehind(Self.files.map { ("GET", "backends/\(percentEncoded(key))/sdk/\($0.0)", nil) }))
            """
    }
}
