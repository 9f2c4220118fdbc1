import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// Returns the version of an object that the query names; the current one if it names none.
    /// - Throws: `InvalidArgument` for an invalid version ID.
    func version(of key: String) throws(OSSError) -> NamedVersion { try NamedVersion(oss: query["versionId"], of: key) }
}

extension NamedVersion {
    /// Parses a version ID of OSS; `nil` names the current version.
    /// - Throws: `InvalidArgument` for an invalid version ID.
    init(oss text: String?, of key: String) throws(OSSError) {
        guard let text else {
            self = .current
            return
        }
        guard let selector = OSSVersionID.selector(text, of: key) else { throw .invalidVersionID(text) }
        self.init(selector, text: text)
    }
}
