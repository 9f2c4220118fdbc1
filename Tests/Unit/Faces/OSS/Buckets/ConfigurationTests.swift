import Cloud
import HTTPTypes
import ObjectStore
import Policy
import Testing
import WireFormats

import struct Policy.Tag

@testable import OSSFace

@Suite("Configurations of buckets of OSS")
struct OSSConfigurationTests {
    static let inventory = """
        <InventoryConfiguration><Id>report</Id><IsEnabled>true</IsEnabled><Destination><OSSBucketDestination><Format>CSV</Format>\
        <AccountId>1</AccountId><RoleArn>acs:ram::1:role/r</RoleArn><Bucket>acs:oss:::files</Bucket><Prefix>p</Prefix>\
        </OSSBucketDestination></Destination><Schedule><Frequency>Daily</Frequency></Schedule><Filter><Prefix>a</Prefix>\
        <LowerSizeBound>1024</LowerSizeBound></Filter><IncludedObjectVersions>All</IncludedObjectVersions><OptionalFields>\
        <Field>Size</Field></OptionalFields></InventoryConfiguration>
        """

    /// The sub-resource, a document, and the status and text that are returned before there is one.
    static let documents: [(String, String, Int, String)] = [
        ("accessmonitor", "<AccessMonitorConfiguration><Status>Enabled</Status></AccessMonitorConfiguration>", 200, "Disabled"),
        (
            "bucketArchiveDirectRead", "<ArchiveDirectReadConfiguration><Enabled>true</Enabled></ArchiveDirectReadConfiguration>", 200,
            "false"
        ),
        (
            "encryption",
            "<ServerSideEncryptionRule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>KMS</SSEAlgorithm><KMSMasterKeyID>0022012****</KMSMasterKeyID><KMSDataEncryption>SM4</KMSDataEncryption></ApplyServerSideEncryptionByDefault></ServerSideEncryptionRule>",
            404, "NoSuchServerSideEncryptionRule"
        ),
        (
            "httpsConfig",
            "<HttpsConfiguration><TLS><Enable>true</Enable><TLSVersion>TLSv1.2</TLSVersion><TLSVersion>TLSv1.3</TLSVersion></TLS></HttpsConfiguration>",
            200, "<Enable>false</Enable>"
        ),
        (
            "logging",
            "<BucketLoggingStatus><LoggingEnabled><TargetBucket>files</TargetBucket><TargetPrefix>log</TargetPrefix></LoggingEnabled></BucketLoggingStatus>",
            200, "<BucketLoggingStatus></BucketLoggingStatus>"
        ),
        (
            "overwriteConfig",
            "<OverwriteConfiguration><Rule><ID>rule1</ID><Action>forbid</Action><Prefix>a/</Prefix><Suffix>.txt</Suffix><Principals><Principal>111</Principal></Principals></Rule></OverwriteConfiguration>",
            404, "NoSuchBucketOverwriteConfig"
        ),
        (
            "referer",
            "<RefererConfiguration><AllowEmptyReferer>false</AllowEmptyReferer><AllowTruncateQueryString>true</AllowTruncateQueryString><RefererList><Referer>http://a.example</Referer></RefererList></RefererConfiguration>",
            200, "<RefererList></RefererList>"
        ),
        (
            "resourceGroup",
            "<BucketResourceGroupConfiguration><ResourceGroupId>rg-abc123</ResourceGroupId></BucketResourceGroupConfiguration>", 200, "rg-"
        ),
        (
            "transferAcceleration", "<TransferAccelerationConfiguration><Enabled>true</Enabled></TransferAccelerationConfiguration>", 404,
            "NoSuchTransferAccelerationConfiguration"
        ),
        (
            "userDefinedLogFieldsConfig",
            "<UserDefinedLogFieldsConfiguration><HeaderSet><header>a</header></HeaderSet><ParamSet><parameter>b</parameter></ParamSet></UserDefinedLogFieldsConfiguration>",
            404, "NoSuchUserDefinedLogFieldsConfig"
        ),
        (
            "website",
            "<WebsiteConfiguration><IndexDocument><Suffix>index.html</Suffix></IndexDocument><RoutingRules><RoutingRule><RuleNumber>1</RuleNumber><Condition><KeySuffixEquals>abc/</KeySuffixEquals><IncludeHeader><Key>k</Key><Equals>v</Equals></IncludeHeader></Condition><Redirect><RedirectType>Mirror</RedirectType><MirrorURL>http://example.com/</MirrorURL><MirrorHeaders><PassAll>true</PassAll><Set><Key>a</Key><Value>b</Value></Set></MirrorHeaders></Redirect></RoutingRule></RoutingRules></WebsiteConfiguration>",
            404, "NoSuchWebsiteConfiguration"
        ),
    ]

    /// The sub-resources that a request can delete.
    static let removable: Set = ["encryption", "logging", "overwriteConfig", "userDefinedLogFieldsConfig", "website"]

    @Test("are returned as they were put", arguments: documents)
    func roundTrip(_ name: String, _ document: String, _ status: Int, _ standard: String) async throws {
        try await OSSSandbox.run { oss async throws in
            let before = try await oss.send(.get, "/files?\(name)")
            #expect(before.status == status, "\(before.text)")
            #expect(before.text.contains(standard), "\(before.text)")
            #expect(try await oss.send(.put, "/files?\(name)", document: document).status == 200)
            let after = try await oss.send(.get, "/files?\(name)=")
            #expect(after.text == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(document)")
            #expect(after["Content-Type"] == "application/xml")
            #expect(try await oss.send(.put, "/files?\(name)", document: "<Other/>").code == "MalformedXML")
            #expect(
                try await oss.send(.put, "/files?\(name)", document: document.replacing("</", with: "<X/></", maxReplacements: 1)).code
                    == "MalformedXML")
            #expect(
                try await oss.send(.put, "/files?\(name)", ["Content-MD5": "AAAAAAAAAAAAAAAAAAAAAA=="], document: document).code
                    == "InvalidDigest")
            let gone = try await oss.send(.delete, "/files?\(name)")
            #expect(gone.status == (Self.removable.contains(name) ? 204 : 405))
            guard gone.status == 204 else { return }
            #expect(try await oss.send(.get, "/files?\(name)").text.contains(standard))
            #expect(try await oss.send(.delete, "/files?\(name)").status == 204)
        }
    }

    @Test(
        "are refused if they are invalid",
        arguments: [
            (
                "encryption",
                "<ServerSideEncryptionRule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>DES</SSEAlgorithm></ApplyServerSideEncryptionByDefault></ServerSideEncryptionRule>",
                "InvalidEncryptionAlgorithmError"
            ),
            (
                "encryption",
                "<ServerSideEncryptionRule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm><KMSMasterKeyID>k</KMSMasterKeyID></ApplyServerSideEncryptionByDefault></ServerSideEncryptionRule>",
                "InvalidArgument"
            ),
            (
                "logging",
                "<BucketLoggingStatus><LoggingEnabled><TargetBucket>nothing-there</TargetBucket></LoggingEnabled></BucketLoggingStatus>",
                "InvalidTargetBucketForLogging"
            ),
            (
                "logging",
                "<BucketLoggingStatus><LoggingEnabled><TargetBucket>foreign</TargetBucket></LoggingEnabled></BucketLoggingStatus>",
                "InvalidTargetBucketForLogging"
            ),
            ("httpsConfig", "<HttpsConfiguration><TLS><Enable>true</Enable></TLS></HttpsConfiguration>", "MalformedXML"),
            (
                "httpsConfig", "<HttpsConfiguration><TLS><Enable>true</Enable><TLSVersion>SSL</TLSVersion></TLS></HttpsConfiguration>",
                "MalformedXML"
            ),
            ("accessmonitor", "<AccessMonitorConfiguration><Status>On</Status></AccessMonitorConfiguration>", "MalformedXML"),
            (
                "resourceGroup",
                "<BucketResourceGroupConfiguration><ResourceGroupId>other</ResourceGroupId></BucketResourceGroupConfiguration>",
                "ResourceGroupIdPreCheckError"
            ),
            (
                "objectWorm", "<ObjectWormConfiguration><ObjectWormEnabled>Enabled</ObjectWormEnabled></ObjectWormConfiguration>",
                "InvalidBucketState"
            ),
            (
                "website", "<WebsiteConfiguration><IndexDocument><Suffix>a/b</Suffix></IndexDocument></WebsiteConfiguration>",
                "InvalidArgument"
            ),
            ("website", "<WebsiteConfiguration></WebsiteConfiguration>", "MalformedXML"),
            ("requestPayment", "<RequestPaymentConfiguration><Payer>Nobody</Payer></RequestPaymentConfiguration>", "MalformedXML"),
            ("versioning", "<VersioningConfiguration><Status>Off</Status></VersioningConfiguration>", "MalformedXML"),
            ("versioning", "<VersioningConfiguration/>", "MalformedXML"),
            ("qos", "<BucketUserQos><StorageCapacity>-2</StorageCapacity></BucketUserQos>", "InvalidArgument"),
            ("publicAccessBlock", "<PublicAccessBlockConfiguration><BlockPublicAccess/></PublicAccessBlockConfiguration>", "MalformedXML"),
        ])
    func refusals(_ name: String, _ document: String, _ code: String) async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await oss.send(.put, "/files?\(name)", document: document)
            #expect(answer.code == code)
            #expect(answer.status == (code == "InvalidBucketState" ? 409 : 400))
        }
    }

    @Test("of callbacks are stored beside the bucket policy")
    func callbackPolicy() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?policy&comp=callback").code == "BucketCallbackPolicyNotExist")
            let document =
                "<BucketCallbackPolicy><PolicyItem><PolicyName>p</PolicyName><Callback>e30=</Callback></PolicyItem></BucketCallbackPolicy>"
            #expect(try await oss.send(.put, "/files?policy&comp=callback", document: document).status == 200)
            #expect(try await oss.send(.get, "/files?policy&comp=callback").text.contains("<PolicyName>p</PolicyName>"))
            #expect(try await oss.send(.get, "/files?policy").code == "NoSuchBucketPolicy")
            #expect(try await oss.send(.delete, "/files?policy&comp=callback").status == 204)
        }
    }

    @Test("of which a bucket can have several are stored by name")
    func inventories() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?inventory&inventoryId=report").code == "NoSuchInventory")
            #expect(try await oss.send(.put, "/files?inventory&inventoryId=report", document: Self.inventory).status == 200)
            #expect(try await oss.send(.get, "/files?inventory&inventoryId=report").text.hasSuffix(Self.inventory))
            #expect(try await oss.send(.put, "/files?inventory&inventoryId=other", document: Self.inventory).code == "InvalidArgument")
            #expect(try await oss.send(.put, "/files?inventory&inventoryId=D3%3Cy", document: Self.inventory).code == "InvalidArgument")
            for number in 0..<100 {
                let document = Self.inventory.replacing("<Id>report", with: "<Id>n\(number)")
                #expect(try await oss.send(.put, "/files?inventory&inventoryId=n\(number)", document: document).status == 200)
            }
            let first = try await oss.send(.get, "/files?inventory")
            #expect(try first.xml.children(named: "InventoryConfiguration").count == 100)
            #expect(first.element("IsTruncated") == "true")
            let token = try #require(first.element("NextContinuationToken"))
            let second = try await oss.send(.get, "/files?inventory&continuation-token=\(token)")
            #expect(try second.xml.children(named: "InventoryConfiguration").count == 1)
            #expect(second.element("IsTruncated") == "false")
            #expect(first.element("ContinuationToken") == nil)
            #expect(second.element("ContinuationToken") == token)
            #expect(try await oss.send(.delete, "/files?inventory&inventoryId=report").status == 204)
            #expect(try await oss.send(.get, "/files?inventory&inventoryId=report").status == 404)
        }
    }

    @Test("of styles have a name from the query, and dates")
    func styles() async throws {
        try await OSSSandbox.run { oss async throws in
            let document = "<Style><Content>image/resize,w_200</Content></Style>"
            #expect(try await oss.send(.put, "/files?style&styleName=imagestyle&category=image", document: document).status == 200)
            let style = try await oss.send(.get, "/files?style&styleName=imagestyle")
            #expect(style.element("Name") == "imagestyle")
            #expect(style.element("Content") == "image/resize,w_200")
            #expect(style.element("Category") == "image")
            #expect(style.element("CreateTime")?.hasSuffix("GMT") == true)
            #expect(try await oss.send(.get, "/files?style").element("Style", "Name") == "imagestyle")
            let empty = try await oss.send(.put, "/files?style&styleName=a", document: "<Style><Content></Content></Style>")
            #expect(empty.code == "InvalidArgument")
            #expect(empty.element("Message") == "Style content is invalid.")
            #expect(try await oss.send(.delete, "/files?style&styleName=imagestyle").status == 204)
            #expect(try await oss.send(.get, "/files?style&styleName=imagestyle").code == "NoSuchStyle")
        }
    }

    @Test("of versioning cannot be switched off again")
    func versioning() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?versioning").xml.children.isEmpty)
            for status in ["Enabled", "Suspended"] {
                let document = "<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>"
                #expect(try await oss.send(.put, "/files?versioning", document: document).status == 200)
                #expect(try await oss.send(.get, "/files?versioning").element("Status") == status)
                #expect(try await oss.send(.get, "/files?bucketInfo").element("Bucket", "Versioning") == status)
            }
        }
    }

    @Test("of object WORM need versioning, which then cannot be suspended")
    func objectWorm() async throws {
        try await OSSSandbox.run { oss async throws in
            let enabled = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
            _ = try await oss.send(.put, "/files?versioning", document: enabled)
            let document =
                "<ObjectWormConfiguration><ObjectWormEnabled>Enabled</ObjectWormEnabled><Rule><DefaultRetention><Mode>GOVERNANCE</Mode><Days>1</Days></DefaultRetention></Rule></ObjectWormConfiguration>"
            #expect(try await oss.send(.put, "/files?objectWorm", document: document).status == 200)
            #expect(try await oss.send(.get, "/files?objectWorm").element("Rule", "DefaultRetention", "Days") == "1")
            let suspended = enabled.replacing("Enabled", with: "Suspended")
            #expect(try await oss.send(.put, "/files?versioning", document: suspended).code == "InvalidBucketState")
        }
    }

    @Test("of tags are deleted by name or all together")
    func tagging() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?tagging").xml.child("TagSet")?.children.isEmpty == true)
            let tags = ["a", "b", "c"].map { "<Tag><Key>\($0)</Key><Value>1</Value></Tag>" }.joined()
            #expect(try await oss.send(.put, "/files?tagging", document: "<Tagging><TagSet>\(tags)</TagSet></Tagging>").status == 200)
            func keys() async throws -> [String] {
                try await oss.send(.get, "/files?tagging").xml.child("TagSet")?.children.compactMap { $0.child("Key")?.text } ?? []
            }
            #expect(try await keys() == ["a", "b", "c"])
            #expect(try await oss.send(.delete, "/files?tagging=a,c").status == 204)
            #expect(try await keys() == ["b"])
            #expect(try await oss.send(.delete, "/files?tagging").status == 204)
            #expect(try await keys() == [])
            let twice = "<Tagging><TagSet>\(tags)\(tags)</TagSet></Tagging>"
            #expect(try await oss.send(.put, "/files?tagging", document: twice).code == "InvalidTag")
        }
    }

    @Test("of websites pass the query to both the redirect and the mirror, or to neither")
    func mirroredQueries() async throws {
        try await OSSSandbox.run { oss async throws in
            let redirect = { (passes: Bool, mirrors: Bool) in
                """
                <WebsiteConfiguration><RoutingRules><RoutingRule><RuleNumber>1</RuleNumber><Redirect><RedirectType>Mirror</RedirectType>\
                <MirrorURL>http://example.com/</MirrorURL><PassQueryString>\(passes)</PassQueryString>\
                <MirrorPassQueryString>\(mirrors)</MirrorPassQueryString></Redirect></RoutingRule></RoutingRules></WebsiteConfiguration>
                """
            }
            #expect(try await oss.send(.put, "/files?website", document: redirect(true, false)).status == 200)
            #expect(try await oss.send(.get, "/files?website").text.hasSuffix(redirect(false, false)))
            let silent = redirect(true, true).replacing("<PassQueryString>true</PassQueryString>", with: "")
            #expect(try await oss.send(.put, "/files?website", document: silent).status == 200)
            #expect(try await oss.send(.get, "/files?website").text.contains("<PassQueryString>true</PassQueryString>"))
        }
    }

    @Test("accept booleans in any case, and return them in lowercase")
    func flags() async throws {
        try await OSSSandbox.run { oss async throws in
            let inventory = Self.inventory.replacing("<IsEnabled>true", with: "<IsEnabled>True")
            #expect(try await oss.send(.put, "/files?inventory&inventoryId=report", document: inventory).status == 200)
            #expect(try await oss.send(.get, "/files?inventory&inventoryId=report").element("IsEnabled") == "true")
            let block = "<PublicAccessBlockConfiguration><BlockPublicAccess>False</BlockPublicAccess></PublicAccessBlockConfiguration>"
            #expect(try await oss.send(.put, "/files?publicAccessBlock", document: block).status == 200)
            let odd = "<Tagging><TagSet><Tag><Key>%@abc</Key><Value>++123%</Value></Tag></TagSet></Tagging>"
            #expect(try await oss.send(.put, "/files?tagging", document: odd).status == 200)
            #expect(try await oss.send(.get, "/files?tagging").element("TagSet", "Tag", "Key") == "%@abc")
            let referers = "<RefererConfiguration><AllowEmptyReferer>True</AllowEmptyReferer><RefererList/></RefererConfiguration>"
            #expect(try await oss.send(.put, "/files?referer", document: referers).status == 200)
            #expect(try await oss.send(.get, "/files?referer").element("AllowTruncateQueryString") == "true")
        }
    }

    @Test("omit members without effect, and return the others")
    func normalised() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?qos").element("StorageCapacity") == "-1")
            let capacity = "<BucketUserQos><StorageCapacity>100</StorageCapacity></BucketUserQos>"
            #expect(try await oss.send(.put, "/files?qos", document: capacity).status == 200)
            #expect(try await oss.send(.get, "/files?qos").element("StorageCapacity") == "100")
            let versions = "<TLS><Enable>true</Enable><TLSVersion>TLSv1.2</TLSVersion><TLSVersion>TLSv1.2</TLSVersion></TLS>"
            let https = "<HttpsConfiguration>\(versions)</HttpsConfiguration>"
            #expect(try await oss.send(.put, "/files?httpsConfig", document: https).status == 200)
            let kept = try #require(try await oss.send(.get, "/files?httpsConfig").xml.child("TLS"))
            #expect(kept.children(named: "TLSVersion").map(\.text) == ["TLSv1.2"])
            let rule = "<SSEAlgorithm>AES256</SSEAlgorithm><KMSDataEncryption>SM4</KMSDataEncryption>"
            let inner = "<ApplyServerSideEncryptionByDefault>\(rule)</ApplyServerSideEncryptionByDefault>"
            let encryption = "<ServerSideEncryptionRule>\(inner)</ServerSideEncryptionRule>"
            #expect(try await oss.send(.put, "/files?encryption", document: encryption).status == 200)
            let shown = try await oss.send(.get, "/files?encryption")
            #expect(shown.element("ApplyServerSideEncryptionByDefault", "SSEAlgorithm") == "AES256")
            #expect(shown.element("ApplyServerSideEncryptionByDefault", "KMSDataEncryption") == nil)
        }
    }

    @Test("of access points are separate from those of the bucket")
    func accessPoints() async throws {
        try await OSSSandbox.run { oss async throws in
            let block = "<PublicAccessBlockConfiguration><BlockPublicAccess>true</BlockPublicAccess></PublicAccessBlockConfiguration>"
            let put = try await oss.send(.put, "/files?publicAccessBlock&x-oss-access-point-name=point", document: block)
            #expect(put.status == 404)
            #expect(put.element("Message") == "Accesspoint not found")
            #expect(try await oss.send(.get, "/files?publicAccessBlock").element("BlockPublicAccess") == "false")
        }
    }

    @Test("of replication do not exist")
    func replication() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?replication").code == "NoSuchReplicationRule")
            let boxes = try await oss.send(.get, "/?cloudboxes")
            #expect(boxes.status == 403)
            #expect(boxes.element("Message") == "You are forbidden to oss-cloudbox:ListCloudBoxes")
        }
    }
}
