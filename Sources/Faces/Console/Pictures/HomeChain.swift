import Calls
import ControlDocuments
import WireFormats

/// The chain on Home: what the last requests of the journal did at each station. The station of the newest request is lit if it was refused there.
struct HomeChain {
    /// How many requests count.
    static let limit = 50

    let info: CloudInfo
    /// The last requests, the newest first.
    let steps: [JournalStep]

    private enum Place: Int, CaseIterable {
        case person, provider, sts, store
    }

    /// Returns the station of the party that answered.
    private static func place(of party: DiagramParty) -> Place? {
        switch party {
        case .provider: .provider
        case .credentialDoor, .sts, .iam: .sts
        case .store, .mobile: .store
        case .browser, .application, .control: nil
        }
    }

    private static func isLogin(_ step: JournalStep) -> Bool {
        step.receiver == .provider && step.operation == "SignIn" && (300..<400).contains(step.status)
    }

    private static func isToken(_ step: JournalStep) -> Bool {
        step.receiver == .provider && step.operation == "Token" && !step.hasFailed
    }

    private func count(_ place: Place) -> Int {
        switch place {
        case .person: steps.count(where: Self.isLogin)
        case .provider: steps.count(where: Self.isToken)
        case .sts: steps.count { $0.receiver == .sts && !$0.hasFailed }
        case .store: steps.count { $0.receiver == .store && !$0.hasFailed }
        }
    }

    /// The newest request, if it was refused.
    private var refusal: JournalStep? {
        steps.first { Self.place(of: $0.receiver) != nil }.flatMap { $0.isRefused ? $0 : nil }
    }

    private var diagram: ChainDiagram {
        let refusal = refusal
        let stop = refusal.flatMap { Self.place(of: $0.receiver) }
        func station(_ place: Place, _ symbol: ChainDiagram.Symbol, _ title: String, _ detail: String, _ noun: String, _ path: String)
            -> ChainDiagram.Station
        {
            if let refusal, place == stop {
                return .init(
                    symbol: symbol, title: title, detail: detail, note: "✗ \(refusal.error ?? String(refusal.status))", state: .refused,
                    path: Visit.path("/journal/\(refusal.number)"))
            }
            let number = count(place)
            return .init(
                symbol: symbol, title: title, detail: detail, note: Self.counted(number, noun), state: number > 0 ? .reached : .waiting,
                path: Visit.path(path))
        }
        let providers = info.providers
        let people = providers.reduce(0) { $0 + $1.people }
        let accounts = Self.counted(info.accounts.count, "account")
        let provider = providers.count == 1 ? providers[0].name : "\(providers.count) providers"
        return ChainDiagram(
            title: "From a person to an object",
            stations: [
                station(.person, .person, "Person", people == 1 ? "1 person" : "\(people) people", "login", "/playground"),
                station(.provider, .provider, "Provider", provider, "token", "/identity"),
                station(.sts, .ticket, "STS", "roles of \(accounts)", "session", "/journal?face=sts"),
                station(.store, .store, "Store", Self.counted(Int(info.counts.buckets), "bucket"), "request", "/store"),
            ], flows: ["logs in", "token", "credentials"])
    }

    var html: HTML {
        let lit: HTML =
            refusal.map { refusal -> HTML in
                """
                 The newest one was refused: <a href="\(Visit.path("/journal/\(refusal.number)"))">\(Parts.value(refusal.error ?? refusal.name, limit: 80))</a>.
                """
            } ?? ""
        let text: HTML =
            steps.isEmpty
            ? "No request yet." : "What the last \(Self.counted(steps.count, "request")) did.\(lit)"
        return """
            <section aria-labelledby="chain"><h2 id="chain" class="sr">From a person to an object</h2>
            \(diagram.html)<p class="soft">\(text) \
            <a href="\(Visit.path("/journal/sequence"))">As a sequence diagram</a></p></section>

            """
    }

    private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(count == 1 ? noun : "\(noun)s")" }
}
