import Testing

@testable import OSSFace

@Suite("Tables of OSS")
struct OSSTableTests {
    @Test("name the actions of a configuration after its operations", arguments: OSSDocumentKind.allCases)
    func actions(of kind: OSSDocumentKind) {
        let row = kind.descriptor
        #expect(row.actions.get.rawValue == "oss:Get\(row.name)")
        #expect(row.actions.put.rawValue == "oss:Put\(row.name)")
        if let delete = row.actions.delete { #expect(delete.rawValue == "oss:Delete\(row.name)") }
    }

    @Test("keep each configuration in a document of its own")
    func documents() {
        let documents = OSSDocumentKind.allCases.map(\.descriptor.document) + OSSNamedKind.allCases.map(\.descriptor.document)
        #expect(Set(documents).count == documents.count)
    }

    @Test("say which actions an ACL allows everyone, replace an object, or list keys")
    func properties() {
        #expect(OSSAction.allCases.filter(\.isPublicRead).count == 5)
        #expect(OSSAction.allCases.filter(\.isPublicWrite).count == 8)
        #expect(OSSAction.allCases.filter(\.isReplacing) == [.deleteObject, .putObject])
        #expect(OSSAction.allCases.filter(\.isListing) == [.listObjectVersions, .listObjects])
        #expect(OSSAction.allCases.allSatisfy { $0.rawValue.hasPrefix("oss:") })
    }
}
