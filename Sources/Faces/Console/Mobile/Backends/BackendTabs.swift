import Calls
import WireFormats

/// A page about one backend.
protocol BackendPage: MobilePage {
    /// The name and version.
    var key: String { get }
}

extension BackendPage {
    var section: MobileSection { .backends }
    var trail: [(title: String, path: String)] { [("Mobile Backends", MobileRoom.path()), (key, MobileRoom.path("backends", key))] }

    /// The pages of the backend.
    var tabs: HTML {
        let links = [
            ("Settings", "Settings", MobileRoom.path("backends", key)),
            ("APIs", "APIs of this backend", MobileRoom.path("backends", key, "apis")),
            ("SDK configuration", "SDK configuration", MobileRoom.path("backends", key, "sdk")),
        ].map { link -> HTML in
            "<a href=\"\(link.2)\"\(HTML.when(title == "\(key) \(link.0)", " aria-current=\"page\""))>\(link.1)</a>\n"
        }
        return "<nav class=\"menu\" aria-label=\"Mobile backend\"><p>\(links)</p></nav>\n"
    }

    /// Changes the backend.
    /// - Throws: ``FormRefusal``, or ``ConsoleRefusal`` if there is no such backend.
    func change(_ edit: (inout JSONObject) -> Void) async throws {
        var backend = try await site.part("backends", key)
        edit(&backend)
        try await site.put("backends", key, backend)
    }
}
