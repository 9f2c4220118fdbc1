extension AWSManagedPolicy {
    /// Policies for storage, databases and analytics. (AWS Managed Policy Reference; the documents are AWS's own.)
    static let storage2: [AWSManagedPolicy] = [
        .init(
            "AWSBackupServiceRolePolicyForS3Restore", path: "/", version: 2, created: 1645205977, updated: 1675728360,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3:CreateBucket", "s3:ListBucketVersions",
             "s3:ListBucket", "s3:GetBucketVersioning", "s3:GetBucketLocation", "s3:PutBucketVersioning", "s3:PutBucketOwnershipControls",
             "s3:GetBucketOwnershipControls"], "Resource": ["arn:aws:s3:::*"]}, {"Effect": "Allow", "Action": ["s3:GetObject",
             "s3:GetObjectVersion", "s3:DeleteObject", "s3:PutObjectVersionAcl", "s3:GetObjectVersionAcl", "s3:GetObjectTagging",
             "s3:PutObjectTagging", "s3:GetObjectAcl", "s3:PutObjectAcl", "s3:ListMultipartUploadParts", "s3:PutObject"], "Resource":
             ["arn:aws:s3:::*/*"]}, {"Effect": "Allow", "Action": ["kms:DescribeKey", "kms:GenerateDataKey", "kms:Decrypt"], "Resource":
             "*", "Condition": {"StringLike": {"kms:ViaService": "s3.*.amazonaws.com"}}}]}
            """#),
        .init(
            "AWSDataSyncFullAccess", path: "/", version: 16, created: 1547840436, updated: 1770919391,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "DataSyncFullAccessPermissions", "Effect": "Allow", "Action": ["datasync:*",
             "ec2:CreateNetworkInterface", "ec2:CreateNetworkInterfacePermission", "ec2:DeleteNetworkInterface",
             "ec2:DescribeNetworkInterfaces", "ec2:DescribeRegions", "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets",
             "ec2:DescribeVpcEndpoints", "ec2:ModifyNetworkInterfaceAttribute", "fsx:DescribeFileSystems",
             "fsx:DescribeStorageVirtualMachines", "elasticfilesystem:DescribeAccessPoints", "elasticfilesystem:DescribeFileSystems",
             "elasticfilesystem:DescribeMountTargets", "iam:GetRole", "iam:ListRoles", "logs:CreateLogGroup", "logs:DescribeLogGroups",
             "logs:DescribeResourcePolicies", "outposts:ListOutposts", "s3:GetBucketLocation", "s3:ListAllMyBuckets", "s3:ListBucket",
             "s3:ListBucketVersions", "s3-outposts:ListAccessPoints", "s3-outposts:ListRegionalBuckets", "secretsmanager:ListSecrets",
             "kms:ListAliases", "kms:DescribeKey"], "Resource": "*"}, {"Sid": "DataSyncPassRolePermissions", "Effect": "Allow", "Action":
             ["iam:PassRole"], "Resource": "*", "Condition": {"StringEquals": {"iam:PassedToService": ["datasync.amazonaws.com"]}}},
             {"Sid": "DataSyncCreateSLRPermissions", "Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/datasync.amazonaws.com/AWSServiceRoleForDataSync", "Condition": {"StringEquals":
             {"iam:AWSServiceName": "datasync.amazonaws.com"}}}, {"Sid": "DataSyncSecretsManagerCreateAccess", "Effect": "Allow",
             "Action": ["secretsmanager:CreateSecret"], "Resource": ["arn:*:secretsmanager:*:*:secret:aws-datasync!*"], "Condition":
             {"StringEquals": {"aws:ResourceAccount": "${aws:PrincipalAccount}"}}}, {"Sid": "DataSyncSecretsManagerAccess", "Effect":
             "Allow", "Action": ["secretsmanager:DeleteSecret", "secretsmanager:UpdateSecret", "secretsmanager:PutSecretValue"],
             "Resource": ["arn:*:secretsmanager:*:*:secret:aws-datasync!*"], "Condition": {"StringEquals": {"aws:ResourceAccount":
             "${aws:PrincipalAccount}", "secretsmanager:ResourceTag/aws:secretsmanager:owningService": "aws-datasync"}}}]}
            """#),
        .init(
            "AWSGlueConsoleFullAccess", path: "/", version: 15, created: 1502717859, updated: 1789072028,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "BaseAppPermissions", "Effect": "Allow", "Action": ["glue:*",
             "redshift:DescribeClusters", "redshift:DescribeClusterSubnetGroups", "iam:ListRoles", "iam:ListUsers", "iam:ListGroups",
             "iam:ListRolePolicies", "iam:GetRole", "iam:GetRolePolicy", "iam:ListAttachedRolePolicies", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSubnets", "ec2:DescribeVpcs", "ec2:DescribeVpcEndpoints", "ec2:DescribeRouteTables", "ec2:DescribeVpcAttribute",
             "ec2:DescribeKeyPairs", "ec2:DescribeInstances", "ec2:DescribeImages", "rds:DescribeDBInstances", "rds:DescribeDBClusters",
             "rds:DescribeDBSubnetGroups", "s3:ListAllMyBuckets", "s3:ListBucket", "s3:GetBucketAcl", "s3:GetBucketLocation",
             "cloudformation:ListStacks", "cloudformation:DescribeStacks", "cloudformation:GetTemplateSummary", "dynamodb:ListTables",
             "kms:ListAliases", "kms:DescribeKey", "cloudwatch:GetMetricData", "cloudwatch:ListDashboards", "databrew:ListRecipes",
             "databrew:ListRecipeVersions", "databrew:DescribeRecipe"], "Resource": ["*"]}, {"Effect": "Allow", "Action": ["s3:GetObject",
             "s3:PutObject"], "Resource": ["arn:aws:s3:::aws-glue-*/*", "arn:aws:s3:::*/*aws-glue-*/*", "arn:aws:s3:::aws-glue-*"]},
             {"Effect": "Allow", "Action": ["tag:GetResources"], "Resource": ["*"]}, {"Effect": "Allow", "Action": ["s3:CreateBucket"],
             "Resource": ["arn:aws:s3:::aws-glue-*"]}, {"Effect": "Allow", "Action": ["logs:GetLogEvents"], "Resource":
             ["arn:aws:logs:*:*:/aws-glue/*"]}, {"Effect": "Allow", "Action": ["cloudformation:CreateStack",
             "cloudformation:DeleteStack"], "Resource": "arn:aws:cloudformation:*:*:stack/aws-glue*/*"}, {"Sid":
             "CloudFormationTagOnCreate", "Effect": "Allow", "Action": ["cloudformation:TagResource", "cloudformation:UntagResource"],
             "Resource": "arn:aws:cloudformation:*:*:stack/aws-glue*/*", "Condition": {"StringEquals": {"cloudformation:CreateAction":
             ["CreateStack"]}}}, {"Effect": "Allow", "Action": ["ec2:RunInstances"], "Resource": ["arn:aws:ec2:*:*:instance/*",
             "arn:aws:ec2:*:*:key-pair/*", "arn:aws:ec2:*:*:image/*", "arn:aws:ec2:*:*:security-group/*",
             "arn:aws:ec2:*:*:network-interface/*", "arn:aws:ec2:*:*:subnet/*", "arn:aws:ec2:*:*:volume/*"]}, {"Effect": "Allow",
             "Action": ["ec2:TerminateInstances", "ec2:CreateTags", "ec2:DeleteTags"], "Resource": ["arn:aws:ec2:*:*:instance/*"],
             "Condition": {"StringEquals": {"ec2:ResourceTag/aws:cloudformation:logical-id": "ZeppelinInstance"}, "StringLike":
             {"ec2:ResourceTag/aws:cloudformation:stack-id": "arn:aws:cloudformation:*:*:stack/aws-glue-*/*"}}}, {"Effect": "Allow",
             "Action": ["iam:PassRole"], "Resource": "arn:aws:iam::*:role/AWSGlueServiceRole*", "Condition": {"StringLike":
             {"iam:PassedToService": ["glue.amazonaws.com"]}}}, {"Effect": "Allow", "Action": ["iam:PassRole"], "Resource":
             "arn:aws:iam::*:role/AWSGlueServiceNotebookRole*", "Condition": {"StringLike": {"iam:PassedToService":
             ["ec2.amazonaws.com"]}}}, {"Effect": "Allow", "Action": ["iam:PassRole"], "Resource":
             ["arn:aws:iam::*:role/service-role/AWSGlueServiceRole*"], "Condition": {"StringLike": {"iam:PassedToService":
             ["glue.amazonaws.com"]}}}]}
            """#),
        .init(
            "AWSGlueServiceRole", path: "/service-role/", version: 5, created: 1502717841, updated: 1694450387,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["glue:*", "s3:GetBucketLocation", "s3:ListBucket",
             "s3:ListAllMyBuckets", "s3:GetBucketAcl", "ec2:DescribeVpcEndpoints", "ec2:DescribeRouteTables",
             "ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSubnets", "ec2:DescribeVpcAttribute", "iam:ListRolePolicies", "iam:GetRole", "iam:GetRolePolicy",
             "cloudwatch:PutMetricData"], "Resource": ["*"]}, {"Effect": "Allow", "Action": ["s3:CreateBucket"], "Resource":
             ["arn:aws:s3:::aws-glue-*"]}, {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], "Resource":
             ["arn:aws:s3:::aws-glue-*/*", "arn:aws:s3:::*/*aws-glue-*/*"]}, {"Effect": "Allow", "Action": ["s3:GetObject"], "Resource":
             ["arn:aws:s3:::crawler-public*", "arn:aws:s3:::aws-glue-*"]}, {"Effect": "Allow", "Action": ["logs:CreateLogGroup",
             "logs:CreateLogStream", "logs:PutLogEvents"], "Resource": ["arn:aws:logs:*:*:*:/aws-glue/*"]}, {"Effect": "Allow", "Action":
             ["ec2:CreateTags", "ec2:DeleteTags"], "Resource": ["arn:aws:ec2:*:*:network-interface/*", "arn:aws:ec2:*:*:security-group/*",
             "arn:aws:ec2:*:*:instance/*"], "Condition": {"ForAllValues:StringEquals": {"aws:TagKeys": ["aws-glue-service-resource"]}}}]}
            """#),
        .init(
            "AWSTransferFullAccess", path: "/", version: 1, created: 1607974643, updated: 1607974643,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "transfer:*", "Resource": "*"}, {"Effect": "Allow",
             "Action": "iam:PassRole", "Resource": "*", "Condition": {"StringEquals": {"iam:PassedToService": "transfer.amazonaws.com"}}},
             {"Effect": "Allow", "Action": ["ec2:DescribeVpcEndpoints", "ec2:DescribeNetworkInterfaces", "ec2:DescribeAddresses"],
             "Resource": "*"}]}
            """#),
        .init(
            "AWSTransferLoggingAccess", path: "/service-role/", version: 1, created: 1547479970, updated: 1547479970,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["logs:CreateLogStream", "logs:DescribeLogStreams",
             "logs:CreateLogGroup", "logs:PutLogEvents"], "Resource": "*"}]}
            """#),
    ]
}
