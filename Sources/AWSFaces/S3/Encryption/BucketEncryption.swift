import Cloud
import Exchange
import WireFormats

/// How a bucket encrypts what says nothing of encryption itself, and which encryption it takes.
/// (S3 API Reference, PutBucketEncryption, "ServerSideEncryptionRule".)
struct BucketEncryption: Hashable, Sendable {
    var scheme = ObjectEncryption.Scheme.store
    /// As the owner gave it; nothing for the key that the service keeps for S3.
    var keyID: String?
    var usesBucketKey = false
    /// Whether new objects may not be encrypted with keys of the client.
    var blocksCustomerKeys = false

    /// What every bucket has. (S3 User Guide, "Setting default server-side encryption behavior", January 2023.)
    static let standard = BucketEncryption()

    /// What every bucket has today. (S3 User Guide, "Blocking or unblocking SSE-C for a general purpose bucket", April 2026.)
    static let modern = {
        var encryption = BucketEncryption()
        encryption.blocksCustomerKeys = true
        return encryption
    }()

    init() {}

    /// - Parameter blocking: what the bucket blocks already; a document that is silent about it leaves that as it is.
    /// - Throws: `MalformedXML`, `InvalidArgument`.
    init(_ document: XMLElement, blocking: Bool) throws(S3Error) {
        blocksCustomerKeys = blocking
        guard document.children.count == 1, let rule = document.child("Rule") else { throw S3Error(.malformedXML) }
        for child in rule.children {
            switch child.name {
            case "ApplyServerSideEncryptionByDefault": try readDefault(child)
            case "BucketKeyEnabled":
                switch child.text {
                case "true": usesBucketKey = true
                case "false": usesBucketKey = false
                default: throw S3Error(.malformedXML)
                }
            case "BlockedEncryptionTypes": blocksCustomerKeys = try Self.blocksCustomerKeys(child)
            default: throw S3Error(.malformedXML)
            }
        }
    }

    private mutating func readDefault(_ element: XMLElement) throws(S3Error) {
        guard let name = element.child("SSEAlgorithm")?.text, let scheme = ObjectEncryption.Scheme(named: name),
            element.children.allSatisfy({ $0.name == "SSEAlgorithm" || $0.name == "KMSMasterKeyID" })
        else { throw S3Error(.malformedXML) }
        self.scheme = scheme
        guard let key = element.child("KMSMasterKeyID")?.text else { return }
        guard scheme.usesKeyService else {
            throw S3Error(
                .invalidArgument,
                "a KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms or aws:kms:dsse",
                ["ArgumentName": "ApplyServerSideEncryptionByDefault"])
        }
        keyID = key
    }

    private static func blocksCustomerKeys(_ element: XMLElement) throws(S3Error) -> Bool {
        switch element.children.map(\.text) {
        case ["SSE-C"]: return true
        case ["NONE"], []: return false
        default: throw S3Error(.malformedXML)
        }
    }

    func encode(into xml: inout XMLWriter) {
        xml.element("Rule") { xml in
            xml.element("ApplyServerSideEncryptionByDefault") { xml in
                xml.element("SSEAlgorithm", scheme.name ?? "")
                if let keyID { xml.element("KMSMasterKeyID", keyID) }
            }
            xml.element("BucketKeyEnabled", usesBucketKey)
            xml.element("BlockedEncryptionTypes") { xml in
                xml.element("EncryptionType", blocksCustomerKeys ? "SSE-C" : "NONE")
            }
        }
    }
}

extension BucketEncryption {
    /// The element that documents of this kind have at their root.
    static let root = "ServerSideEncryptionConfiguration"

    /// Reads what ``text`` has written.
    init(stored text: String) throws {
        self = try BucketEncryption(try XMLElement(parsing: Array(text.utf8)), blocking: false)
    }

    /// What the store keeps.
    var text: String {
        var xml = XMLWriter()
        xml.element(Self.root) { encode(into: &$0) }
        return String(decoding: xml.bytes, as: UTF8.self)
    }
}
