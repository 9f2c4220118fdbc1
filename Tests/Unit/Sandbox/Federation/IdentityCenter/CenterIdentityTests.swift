import Directory
import Testing
import WireFormats

@testable import Federation

@Suite("People of IAM Identity Center at STS")
struct CenterIdentityTests {
    private func sessionName(_ name: String) -> String {
        let person = Person(name: name, subject: "1", password: "p", claims: [:])
        return CenterIdentity(of: person, in: "111122223333", by: IdentityCenter(identityProvider: "company")).sessionName
    }

    @Test(
        "have their user names as session names",
        arguments: ["eve", "eve_b", "eve@shop.example", "e=", String(repeating: "e", count: 64)])
    func plain(name: String) { #expect(sessionName(name) == name) }

    @Test("have session names that no other person has")
    func unique() {
        let long = String(repeating: "e", count: 64)
        let names = ["eve b", "eve_b", "eve#b", "a", "a_", "ä", "ö", long, long + "1", long + "2"]
        var found: Set<[UInt8]> = []
        for name in names {
            let session = sessionName(name)
            #expect(SessionRequests.isName(session), "\(session)")
            #expect(found.insert(Array(session.utf8)).inserted, "\(session)")
            // A user name that is the session name of another person gets another one.
            if session != name { #expect(sessionName(session) != session) }
        }
    }
}
