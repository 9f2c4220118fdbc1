/// The parameters that Version 1 counts as part of the resource: the sub-resources, and the overrides of response headers. It is
/// the union of what the SDKs sign. (OSS API Reference, "Include signatures in the Authorization header", "Construct the
/// CanonicalizedResource string".)
let signedSubResources: Set = [
    "accessPoint", "accessPointPolicy", "acl", "append", "asyncFetch", "bucketArchiveDirectRead", "bucketInfo", "callback",
    "callback-var", "cleanRestoredObject", "cloudboxes", "cname", "comp", "continuation-token", "cors", "dataPipeline", "delete",
    "encryption", "endTime", "group", "httpsConfig", "img", "inventory", "inventoryId", "legalHold", "lifecycle", "link", "live",
    "location", "logging", "metaQuery", "objectInfo", "objectMeta", "objectWorm", "overwriteConfig", "partNumber", "policy",
    "policyStatus", "position", "publicAccessBlock", "qos", "qosInfo", "qosRequester", "redundancyTransition", "referer", "regionList",
    "replication", "replicationLocation", "replicationProgress", "requestPayment", "requesterQosInfo", "resourceGroup", "resourcePool",
    "resourcePoolBuckets", "resourcePoolInfo", "response-cache-control", "response-content-disposition", "response-content-encoding",
    "response-content-language", "response-content-type", "response-expires", "restore", "retention", "rtc", "seal", "security-token",
    "sequential", "startTime", "stat", "status", "style", "styleName", "symlink", "tagging", "transferAcceleration", "udf",
    "udfApplication", "udfApplicationLog", "udfId", "udfImage", "udfImageDesc", "udfName", "uploadId", "uploads",
    "userDefinedLogFieldsConfig", "versionId", "versioning", "versions", "vod", "website", "withHashContext", "worm", "wormExtend",
    "wormId", "x-oss-ac-forward-allow", "x-oss-ac-source-ip", "x-oss-ac-subnet-mask", "x-oss-ac-vpc-id", "x-oss-access-point-name",
    "x-oss-async-process", "x-oss-enable-md5", "x-oss-enable-sha1", "x-oss-enable-sha256", "x-oss-hash-ctx", "x-oss-md5-ctx",
    "x-oss-process", "x-oss-redundancy-transition-taskid", "x-oss-request-payer", "x-oss-target-redundancy-type", "x-oss-traffic-limit",
    "x-oss-write-get-object-response",
]
