extension RAMSystemPolicy {
    /// The system policies of the services that Virga implements, and the general ones.
    static let all: [RAMSystemPolicy] = [
        .init(
            "AdministratorAccess", "Provides full access to Alibaba Cloud services and resources.", created: 1_430_208_945,
            updated: 1_430_208_945,
            #"""
            {"Version": "1", "Statement": [{"Action": "*", "Resource": "*", "Effect": "Allow"}]}
            """#),
        .init(
            "ReadOnlyAccess", "Provides read-only access to Alibaba Cloud services and resources.", version: 5, created: 1_430_208_945,
            updated: 1_602_489_600,
            #"""
            {"Version": "1", "Statement": [{"Action": ["*:Describe*", "*:List*", "*:Get*", "*:BatchGet*", "*:Query*", "*:BatchQuery*",
             "actiontrail:LookupEvents", "actiontrail:Check*", "dm:Desc*", "dm:SenderStatistics*", "ram:GenerateCredentialReport"],
             "Resource": "*", "Effect": "Allow"}]}
            """#),
        .init(
            "AliyunOSSFullAccess", "Provides full access to Object Storage Service via Management Console.", created: 1_430_208_945,
            updated: 1_430_208_945,
            #"""
            {"Version": "1", "Statement": [{"Effect": "Allow", "Action": "oss:*", "Resource": "*"}]}
            """#),
        .init(
            "AliyunOSSReadOnlyAccess", "Provides read-only access to Object Storage Service via Management Console.",
            created: 1_430_208_945, updated: 1_430_208_945,
            #"""
            {"Version": "1", "Statement": [{"Effect": "Allow", "Action": ["oss:Get*", "oss:List*"], "Resource": "*"}]}
            """#),
        .init(
            "AliyunSTSAssumeRoleAccess", "Provides access to the AssumeRole operation of Security Token Service.", created: 1_439_452_800,
            updated: 1_439_452_800,
            #"""
            {"Version": "1", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Resource": "*"}]}
            """#),
        .init(
            "AliyunRAMFullAccess", "Provides full access to Resource Access Management(RAM) via Management Console.", version: 3,
            created: 1_430_208_945, updated: 1_764_727_428,
            #"""
            {"Version": "1", "Statement": [{"Action": "ram:*", "Resource": "*", "Effect": "Allow"},
             {"Effect": "Allow", "Action": "accessanalyzer:*", "Resource": "*"}]}
            """#),
        .init(
            "AliyunRAMReadOnlyAccess", "Provides read-only access to Resource Access Management(RAM) via Management Console.", version: 3,
            created: 1_430_208_945, updated: 1_764_727_428,
            #"""
            {"Version": "1", "Statement": [{"Action": ["ram:Get*", "ram:List*", "ram:GenerateCredentialReport"], "Resource": "*",
             "Effect": "Allow"}, {"Effect": "Allow", "Action": ["accessanalyzer:Get*", "accessanalyzer:List*"], "Resource": "*"}]}
            """#),
    ]
}
