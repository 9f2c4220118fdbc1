import Calls
import WireFormats

/// The pages of the mobile cloud, under their names in Oracle Mobile Cloud Service.
struct MobileRoom: ConsoleRoom {
    let visit: Visit
    let memory: MobileMemory

    func show() async throws -> Response { try await page().show() }

    func act() async throws -> Response { try await page().act() }

    /// Returns the URL of a page. The segments are names, which are percent-encoded.
    static func path(_ segments: String...) -> String {
        Visit.path("/mobile" + segments.map { "/\(percentEncoded($0))" }.joined())
    }

    private func page() async throws -> any MobilePage {
        let site = MobileSite(visit: visit, memory: memory, info: try await CloudInfo(visit.client))
        let names = Array(visit.segments.dropFirst())
        let last = names.last ?? ""
        switch (names.first, names.count) {
        case (nil, _): return BackendsPage(site: site)
        case ("backends", 2): return SettingsPage(site: site, key: last)
        case ("backends", 3) where last == "apis": return BackendAPIsPage(site: site, key: names[1])
        case ("backends", 3) where last == "sdk": return ClientConfigurationPage(site: site, key: names[1])
        case ("apis", 1): return APIsPage(site: site)
        case ("apis", 2): return SecurityPage(site: site, key: last)
        case ("apis", 3) where last == "test": return TesterPage(site: site, key: names[1])
        case ("users", 1): return UserManagementPage(site: site)
        case ("users", 2): return RealmPage(site: site, key: last)
        case ("users", 3): return UserPage(site: site, realm: names[1], name: last)
        case ("keys", 1): return KeysPage(site: site)
        case ("keys", 2): return TokenIssuerPage(site: site, name: last)
        case ("jwt", 1): return JWTIssuersPage(site: site)
        case ("jwt", 2): return JWTIssuerPage(site: site, place: last)
        case ("policies", 1): return PoliciesPage(site: site)
        case ("policies", 2) where last == "export": return PoliciesPage(site: site, isExport: true)
        case ("collections", 1): return CollectionsPage(site: site)
        case ("analytics", 1): return AnalyticsPage(site: site)
        case ("devices", 1): return DevicesPage(site: site)
        case ("notifications", 1): return NotificationsPage(site: site)
        case ("locations", 1): return LocationsPage(site: site)
        default: throw ConsoleRefusal.noSuchPage
        }
    }
}
