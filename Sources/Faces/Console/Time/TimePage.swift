import Calls
import ControlDocuments
import WireFormats

/// The page about the clock and the errors on demand.
struct TimePage {
    let visit: Visit
    /// Why the form that was sent had no effect; `nil` for a page without one.
    var refusal: ConsoleRefusal?
    /// The action of that form.
    var action = ""

    func response() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let clock = await visit.client.get("/clock").document(ClockMembers.self)
        let rules = await visit.client.get("/faults").document(FaultListMembers.self).faults
        let catalogue = await visit.client.get("/faults/catalogue").document(FaultCatalogueMembers.self)
        let content: HTML = """
            <h1>Clock and faults</h1>
            \(ClockPanel(visit: visit, info: info, clock: clock, refusal: isAboutFaults ? nil : refusal).html)
            \(await ExpiringList(visit: visit, info: info).html())
            \(FaultPanel(visit: visit, info: info, rules: rules, services: catalogue.services, refusal: isAboutFaults ? refusal : nil).html)
            \(calls)
            """
        var page = ConsolePage(title: "Clock and faults", section: .time, content: content)
        if let refusal { page.status = refusal.status }
        return page.response(for: visit, info: info)
    }

    private var isAboutFaults: Bool { ["preset", "fault", "remove"].contains(action) }

    private var calls: HTML {
        let origin = visit.place.services
        return """
            <details class="fold"><summary>API calls of this page</summary>
            \(Parts.code(
                """
                curl --data '{"age":"PT1H5M"}' \(origin)/_virga/clock
                curl --data '{"freeze":true}' \(origin)/_virga/clock
                curl --data '{"resume":true}' \(origin)/_virga/clock
                curl --data '{"service":"sts","error":"Throttling","times":2}' \(origin)/_virga/faults
                curl --request DELETE \(origin)/_virga/faults
                """, id: "calls", label: "the calls"))</details>

            """
    }
}
