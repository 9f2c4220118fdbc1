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
        let methods = MobileMethod.allCases.filter { backend.obstacle(to: $0) == nil }.map { method -> HTML in
            """
            <li><form method="post" action="\(Visit.path("/playground/start"))">\(room.visit.formToken)
            <input type="hidden" name="path" value="\(WalkKind.mobile.rawValue)"><input type="hidden" name="backend" value="\(backend.key)">
            <input type="hidden" name="method" value="\(method.rawValue)">
            <button class="small" aria-label="\(method.title) at \(backend.name.visible)">\(method.title)</button></form></li>

            """
        }
        let off = MobileMethod.allCases.filter { backend.obstacle(to: $0) != nil }.map(\.title)
        let settings = MobileRoom.path("backends", backend.key)
        let note: HTML =
            off.isEmpty
            ? ""
            : """
            <p class="soft">Off: \(off.joined(separator: ", ")). <a href="\(settings)" aria-label="Settings of \(backend.name.visible)">Settings</a></p>

            """
        return """
            <section class="card"><h3>\(Parts.value(backend.name))</h3>
            <ul class="plain">
            \(methods)</ul>
            \(note)</section>

            """
    }
}
