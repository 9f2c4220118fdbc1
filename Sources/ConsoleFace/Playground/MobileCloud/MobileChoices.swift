import Calls
import WireFormats

/// The backends of the mobile cloud, with the methods that each offers.
struct MobileChoices {
    let room: PlaygroundRoom

    /// `nil` if the seed has no mobile cloud.
    var html: HTML? {
        get async throws {
            let backends = try await MobileBackendSettings.all(room.visit.client)
            return backends.isEmpty ? nil : "<div class=\"cards\">\n\(backends.map(card))</div>"
        }
    }

    private func card(_ backend: MobileBackendSettings) -> HTML {
        let methods = MobileMethod.allCases.map { method -> HTML in
            let obstacle = backend.obstacle(to: method)
            return """
                <li><form method="post" action="\(Visit.path("/playground/start"))">\(room.visit.formToken)
                <input type="hidden" name="path" value="\(WalkKind.mobile.rawValue)"><input type="hidden" name="backend" value="\(backend.key)">
                <input type="hidden" name="method" value="\(method.rawValue)">
                <button class="small\(obstacle == nil ? " primary" : "")" aria-label="\(method.title) at \(backend.name.visible)">\(method.title)</button>\
                \(obstacle == nil ? "" : " <span class=\"soft\">off</span>" as HTML)</form></li>

                """
        }
        return """
            <section class="card"><h3>\(Parts.value(backend.name))</h3>
            <ul class="plain">
            \(methods)</ul>
            </section>

            """
    }
}
