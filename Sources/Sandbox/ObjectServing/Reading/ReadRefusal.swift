package import ObjectStore
package import WireFormats

/// The reasons why an object is not read. Each face has its own error for each.
package enum ReadRefusal: Error {
    /// There is no such key or version.
    case missing
    /// The key's current version, or the requested version, is a delete marker.
    case deleteMarker(ObjectVersion, modified: Timestamp)
    /// The object is encrypted with a customer key (SSE-C), which the service does not support.
    case customerKey
    /// The object is in an archive class and has no restored copy.
    case archived(StorageClass)
    /// A condition of the request is not met; the value is the name of its header.
    case conditionFailed(String)
    /// The part number is not an integer between 1 and 10,000; the value is the text as sent.
    case invalidPartNumber(String)
    /// The object has no such part; the values are the part number as sent, and the number of the object's parts.
    case missingPart(String, partCount: Int)
    /// The request has both a range and a part number.
    case rangeOfPart
    /// The range contains no byte of the object; the values are the header as sent, and the object's size.
    case unsatisfiableRange(String, size: Int64)
    /// The store failed.
    case store(ObjectStoreError)
}
