import Calls
import WireFormats

/// The chain at the head of a walk. The station of the last request is lit if it was refused there.
struct WalkChain {
    let walk: Walk

    /// The last request of the steps and its station, if it was refused.
    private var refused: (place: Int, exchange: Exchange)? {
        let offset = walk.course.stations.hasToken ? 1 : 0
        if let access = walk.access { return access.isSuccess ? nil : (offset + 2, access) }
        if let assumption = walk.assumption { return assumption.isSuccess ? nil : (offset + 1, assumption) }
        guard let login = walk.login.last, !login.isSuccess else { return nil }
        return (offset, login)
    }

    private var diagram: ChainDiagram {
        let names = walk.course.stations
        let (refused, person) = (refused, walk.person ?? "")
        let role = walk.order.roleARN.split(separator: "/").last.map(String.init) ?? ""
        let hasCredentials = walk.credentials != nil || walk.assumption?.isSuccess == true
        var stations: [ChainDiagram.Station] = [
            .init(
                symbol: .person, title: "Person", detail: person, note: person.isEmpty ? "not logged in" : "logged in",
                state: walk.person == nil && walk.token == nil ? .waiting : .reached)
        ]
        if names.hasToken {
            stations.append(
                .init(
                    symbol: .provider, title: "Provider", detail: walk.course.title, note: walk.token == nil ? "no token" : names.token,
                    state: walk.token == nil ? .waiting : .reached))
        }
        stations.append(
            .init(
                symbol: .ticket, title: walk.course.issuerTitle, detail: role,
                note: hasCredentials ? names.credentials : "not yet", state: hasCredentials ? .reached : .waiting))
        stations.append(
            .init(
                symbol: .store, title: walk.course.storeTitle, detail: walk.files.bucket,
                note: walk.access.map { $0.isSuccess ? "ok" : $0.code } ?? "not yet", state: walk.access == nil ? .waiting : .reached))
        if let refused, stations.indices.contains(refused.place) {
            stations[refused.place].state = .refused
            stations[refused.place].note = "✗ \(refused.exchange.code)"
        }
        let flows = names.hasToken ? ["logs in", "token", "credentials"] : ["logs in", "credentials"]
        return ChainDiagram(title: "From the person to the \(names.object.lowercased())", stations: stations, flows: flows)
    }

    var html: HTML {
        """
        \(diagram.html)<p class="soft"><a href="\(Visit.path("/journal/sequence"))?walk=\(percentEncoded(walk.id))">Every request of this walk as a \
        sequence diagram</a></p>

        """
    }
}

extension WalkCourse {
    /// What issues the credentials.
    fileprivate var issuerTitle: String {
        switch kind {
        case .webIdentity, .saml, .alibaba: "STS"
        case .mobile: "Mobile cloud"
        case .vending: "Vending"
        }
    }

    /// What keeps the objects.
    fileprivate var storeTitle: String {
        switch kind {
        case .webIdentity, .saml, .vending: "S3"
        case .alibaba: "OSS"
        case .mobile: "APIs"
        }
    }
}
