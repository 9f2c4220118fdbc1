import Testing
import WireFormats

@testable import Directory

@Suite("Kinds of identity providers")
struct ProviderDescriptorTests {
    private typealias Kind = IdentityProvider.Kind

    @Test("are known by the name of a social provider", arguments: IdentityProvider.Kind.allCases.filter(\.isSocial))
    func socialName(_ kind: IdentityProvider.Kind) throws {
        #expect(Kind(providerName: kind.rawValue) == kind)
    }

    @Test("are OpenID Connect for other names", arguments: ["company", "openIDConnect", "Google", ""])
    func otherName(_ name: String) throws {
        #expect(Kind(providerName: name) == .openIDConnect)
    }

    @Test("are known by their ProviderId and by their principal", arguments: IdentityProvider.Kind.allCases)
    func names(_ kind: IdentityProvider.Kind) throws {
        let isKnown = kind.descriptor.isKnownToSTS
        #expect(kind.descriptor.providerID.flatMap(Kind.init(providerID:)) == (kind.descriptor.signsIDTokens || !isKnown ? nil : kind))
        #expect(kind.descriptor.principal.flatMap(Kind.init(principal:)) == (kind.isSocial && isKnown ? kind : nil))
    }

    @Test("are known to STS, except GitHub")
    func unknownToSTS() throws {
        #expect(Kind.allCases.filter { !$0.descriptor.isKnownToSTS } == [.github])
        #expect(Kind.github.descriptor.verifyingOperation == "User")
    }

    @Test("have host names of their own")
    func hosts() throws {
        let hosts = Kind.allCases.flatMap(\.descriptor.hosts)
        #expect(Set(hosts).count == hosts.count)
    }

    @Test("that are social have hosts, a name and a color for their pages", arguments: IdentityProvider.Kind.allCases)
    func pages(_ kind: IdentityProvider.Kind) throws {
        #expect(kind.descriptor.hosts.isEmpty != kind.isSocial)
        #expect((kind.descriptor.pageName != nil) == kind.isSocial)
        #expect((kind.descriptor.accent != nil) == kind.isSocial)
    }
}
