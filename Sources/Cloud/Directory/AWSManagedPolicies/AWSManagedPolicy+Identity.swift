extension AWSManagedPolicy {
    /// Policies for accounts, identity and keys. (AWS Managed Policy Reference; the documents are AWS's own.)
    static let identity: [AWSManagedPolicy] = [
        .init(
            "AWSBillingReadOnlyAccess", path: "/", version: 28, created: 1598558931, updated: 1785449549,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "VisualEditor0", "Effect": "Allow", "Action":
             ["account:GetAccountInformation", "aws-portal:ViewBilling", "billing:GetBillingData", "billing:GetBillingDetails",
             "billing:GetBillingNotifications", "billing:GetBillingPreferences", "billing:GetCredits", "billing:GetContractInformation",
             "billing:GetIAMAccessPreference", "billing:GetSellerOfRecord", "billing:ListBillingViews", "budgets:ViewBudget",
             "budgets:DescribeBudgetActionsForBudget", "budgets:DescribeBudgetAction", "budgets:DescribeBudgetActionsForAccount",
             "budgets:DescribeBudgetActionHistories", "ce:DescribeCostCategoryDefinition", "ce:GetCostAndUsage",
             "ce:ListCostCategoryDefinitions", "ce:ListCostCategoryResourceAssociations", "ce:ListTagsForResource",
             "ce:ListCostAllocationTags", "ce:ListCostAllocationTagBackfillHistory", "ce:GetTags", "ce:GetDimensionValues",
             "ce:GetCostAndUsageComparisons", "ce:GetCostComparisonDrivers", "consolidatedbilling:ListLinkedAccounts",
             "consolidatedbilling:GetAccountBillingRole", "cur:GetClassicReport", "cur:GetClassicReportPreferences", "cur:GetUsageReport",
             "cur:DescribeReportDefinitions", "freetier:GetFreeTierAlertPreference", "freetier:GetFreeTierUsage",
             "freetier:GetAccountPlanState", "freetier:GetAccountActivity", "freetier:ListAccountActivities",
             "invoicing:BatchGetInvoiceProfile", "invoicing:GetInvoiceEmailDeliveryPreferences", "invoicing:GetInvoicePDF",
             "invoicing:GetInvoiceUnit", "invoicing:GetInvoiceCorrection", "invoicing:ListInvoiceSummaries", "invoicing:ListInvoiceUnits",
             "invoicing:GetProcurementPortalPreference", "invoicing:ListProcurementPortalPreferences", "invoicing:ListTagsForResource",
             "invoicing:ListInvoiceCorrections", "invoicing:ListProcurementPortals", "invoicing:ListProcurementPortalSuppliers",
             "mapcredits:ListQuarterSpend", "mapcredits:ListAssociatedPrograms", "mapcredits:ListQuarterCredits",
             "payments:GetFinancingApplication", "payments:GetFinancingLine", "payments:GetFinancingLineWithdrawal",
             "payments:GetFinancingOption", "payments:GetPaymentInstrument", "payments:GetPaymentStatus",
             "payments:ListFinancingApplications", "payments:ListFinancingLines", "payments:ListFinancingLineWithdrawals",
             "payments:ListPaymentInstruments", "payments:ListPaymentPreferences", "payments:ListPaymentProgramOptions",
             "payments:ListPaymentProgramStatus", "payments:ListTagsForResource", "purchase-orders:GetPurchaseOrder",
             "purchase-orders:ViewPurchaseOrders", "purchase-orders:ListPurchaseOrderInvoices", "purchase-orders:ListPurchaseOrders",
             "purchase-orders:ListTagsForResource", "sustainability:GetCarbonFootprintSummary", "tax:GetTaxRegistrationDocument",
             "tax:GetTaxInheritance", "tax:ListTaxRegistrations"], "Resource": "*"}]}
            """#),
        .init(
            "AWSBudgetsReadOnlyAccess", path: "/", version: 2, created: 1602782308, updated: 1718646085,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSBudgetsReadOnlyAccess", "Effect": "Allow", "Action":
             ["aws-portal:ViewBilling", "budgets:ViewBudget", "budgets:Describe*", "budgets:ListTagsForResource"], "Resource": "*"}]}
            """#),
        .init(
            "AWSCertificateManagerFullAccess", path: "/", version: 2, created: 1453395756, updated: 1597702708,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["acm:*"], "Resource": "*"}, {"Effect": "Allow",
             "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/acm.amazonaws.com/AWSServiceRoleForCertificateManager*", "Condition": {"StringEquals":
             {"iam:AWSServiceName": "acm.amazonaws.com"}}}, {"Effect": "Allow", "Action": ["iam:DeleteServiceLinkedRole",
             "iam:GetServiceLinkedRoleDeletionStatus", "iam:GetRole"], "Resource":
             "arn:aws:iam::*:role/aws-service-role/acm.amazonaws.com/AWSServiceRoleForCertificateManager*"}]}
            """#),
        .init(
            "AWSCertificateManagerReadOnly", path: "/", version: 7, created: 1453396053, updated: 1786644443,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["acm:DescribeCertificate", "acm:ListCertificates",
             "acm:SearchCertificates", "acm:GetCertificate", "acm:ListTagsForCertificate", "acm:GetAccountConfiguration",
             "acm:DescribeAcmeAccount", "acm:DescribeAcmeDomainValidation", "acm:DescribeAcmeEndpoint",
             "acm:DescribeAcmeExternalAccountBinding", "acm:ListAcmeAccounts", "acm:ListAcmeDomainValidations", "acm:ListAcmeEndpoints",
             "acm:ListAcmeExternalAccountBindings", "acm:ListTagsForResource", "acm:ListCertificateDomainValidations"], "Resource": "*"}]}
            """#),
        .init(
            "AWSCloudTrail_FullAccess", path: "/", version: 3, created: 1602200475, updated: 1614020460,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["sns:AddPermission", "sns:CreateTopic",
             "sns:SetTopicAttributes", "sns:GetTopicAttributes"], "Resource": ["arn:aws:sns:*:*:aws-cloudtrail-logs*"]}, {"Effect":
             "Allow", "Action": ["sns:ListTopics"], "Resource": "*"}, {"Effect": "Allow", "Action": ["s3:CreateBucket",
             "s3:PutBucketPolicy", "s3:PutBucketPublicAccessBlock"], "Resource": ["arn:aws:s3:::aws-cloudtrail-logs*"]}, {"Effect":
             "Allow", "Action": ["s3:ListAllMyBuckets", "s3:GetBucketLocation", "s3:GetBucketPolicy"], "Resource": "*"}, {"Effect":
             "Allow", "Action": "cloudtrail:*", "Resource": "*"}, {"Effect": "Allow", "Action": ["logs:CreateLogGroup"], "Resource":
             ["arn:aws:logs:*:*:log-group:aws-cloudtrail-logs*"]}, {"Effect": "Allow", "Action": ["iam:ListRoles", "iam:GetRolePolicy",
             "iam:GetUser"], "Resource": "*"}, {"Effect": "Allow", "Action": ["iam:PassRole"], "Resource": "*", "Condition":
             {"StringEquals": {"iam:PassedToService": "cloudtrail.amazonaws.com"}}}, {"Effect": "Allow", "Action": ["kms:CreateKey",
             "kms:CreateAlias", "kms:ListKeys", "kms:ListAliases"], "Resource": "*"}, {"Effect": "Allow", "Action":
             ["lambda:ListFunctions"], "Resource": "*"}, {"Effect": "Allow", "Action": ["dynamodb:ListGlobalTables",
             "dynamodb:ListTables"], "Resource": "*"}]}
            """#),
        .init(
            "AWSCloudTrail_ReadOnlyAccess", path: "/", version: 1, created: 1655227145, updated: 1655227145,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cloudtrail:Get*", "cloudtrail:Describe*",
             "cloudtrail:List*", "cloudtrail:LookupEvents"], "Resource": "*"}]}
            """#),
        .init(
            "AWSCompromisedKeyQuarantineV2", path: "/", version: 5, created: 1619044259, updated: 1727887299,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Action": ["cloudtrail:LookupEvents", "ec2:RequestSpotInstances",
             "ec2:RunInstances", "ec2:StartInstances", "iam:AddUserToGroup", "iam:AttachGroupPolicy", "iam:AttachRolePolicy",
             "iam:AttachUserPolicy", "iam:ChangePassword", "iam:CreateAccessKey", "iam:CreateInstanceProfile", "iam:CreateLoginProfile",
             "iam:CreatePolicyVersion", "iam:CreateRole", "iam:CreateUser", "iam:DetachUserPolicy", "iam:PassRole", "iam:PutGroupPolicy",
             "iam:PutRolePolicy", "iam:PutUserPermissionsBoundary", "iam:PutUserPolicy", "iam:SetDefaultPolicyVersion",
             "iam:UpdateAccessKey", "iam:UpdateAccountPasswordPolicy", "iam:UpdateAssumeRolePolicy", "iam:UpdateLoginProfile",
             "iam:UpdateUser", "lambda:AddLayerVersionPermission", "lambda:AddPermission", "lambda:CreateFunction", "lambda:GetPolicy",
             "lambda:ListTags", "lambda:PutProvisionedConcurrencyConfig", "lambda:TagResource", "lambda:UntagResource",
             "lambda:UpdateFunctionCode", "lightsail:Create*", "lightsail:Delete*", "lightsail:DownloadDefaultKeyPair",
             "lightsail:GetInstanceAccessDetails", "lightsail:Start*", "lightsail:Update*", "organizations:CreateAccount",
             "organizations:CreateOrganization", "organizations:InviteAccountToOrganization", "s3:DeleteBucket", "s3:DeleteObject",
             "s3:DeleteObjectVersion", "s3:PutLifecycleConfiguration", "s3:PutBucketAcl", "s3:PutBucketOwnershipControls",
             "s3:DeleteBucketPolicy", "s3:ObjectOwnerOverrideToBucketOwner", "s3:PutAccountPublicAccessBlock", "s3:PutBucketPolicy",
             "s3:ListAllMyBuckets", "ec2:PurchaseReservedInstancesOffering", "ec2:AcceptReservedInstancesExchangeQuote",
             "ec2:CreateReservedInstancesListing", "savingsplans:CreateSavingsPlan", "ecs:CreateService", "ecs:CreateCluster",
             "ecs:RegisterTaskDefinition", "ecr:GetAuthorizationToken", "bedrock:CreateModelInvocationJob",
             "bedrock:InvokeModelWithResponseStream", "bedrock:CreateFoundationModelAgreement", "bedrock:PutFoundationModelEntitlement",
             "bedrock:InvokeModel", "s3:CreateBucket", "s3:PutBucketCors", "s3:GetObject", "s3:ListBucket",
             "sagemaker:CreateEndpointConfig", "sagemaker:CreateProcessingJob", "ses:GetSendQuota", "ses:ListIdentities",
             "sts:GetSessionToken", "sts:GetFederationToken", "amplify:CreateDeployment", "amplify:CreateBackendEnvironment",
             "codebuild:CreateProject", "glue:CreateJob", "iam:DeleteRole", "iam:DeleteAccessKey", "iam:ListUsers",
             "lambda:GetEventSourceMapping", "sns:GetSMSAttributes", "mediapackagev2:CreateChannel"], "Resource": ["*"]}]}
            """#),
        .init(
            "AWSCompromisedKeyQuarantineV3", path: "/", version: 3, created: 1724261809, updated: 1773678434,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Action": ["cloudtrail:LookupEvents", "ec2:RequestSpotInstances",
             "ec2:RunInstances", "ec2:StartInstances", "ec2:PurchaseReservedInstancesOffering",
             "ec2:AcceptReservedInstancesExchangeQuote", "ec2:CreateReservedInstancesListing", "iam:AddUserToGroup",
             "iam:AttachGroupPolicy", "iam:AttachRolePolicy", "iam:AttachUserPolicy", "iam:ChangePassword", "iam:CreateAccessKey",
             "iam:CreateInstanceProfile", "iam:CreateLoginProfile", "iam:CreatePolicyVersion", "iam:CreateRole", "iam:CreateUser",
             "iam:DetachUserPolicy", "iam:PassRole", "iam:PutGroupPolicy", "iam:PutRolePolicy", "iam:PutUserPermissionsBoundary",
             "iam:PutUserPolicy", "iam:SetDefaultPolicyVersion", "iam:UpdateAccessKey", "iam:UpdateAccountPasswordPolicy",
             "iam:UpdateAssumeRolePolicy", "iam:UpdateLoginProfile", "iam:UpdateUser", "iam:DeleteRole", "iam:DeleteAccessKey",
             "iam:ListUsers", "lambda:AddLayerVersionPermission", "lambda:AddPermission", "lambda:CreateFunction", "lambda:GetPolicy",
             "lambda:ListTags", "lambda:PutProvisionedConcurrencyConfig", "lambda:TagResource", "lambda:UntagResource",
             "lambda:UpdateFunctionCode", "lambda:GetEventSourceMapping", "lightsail:Create*", "lightsail:Delete*",
             "lightsail:DownloadDefaultKeyPair", "lightsail:GetInstanceAccessDetails", "lightsail:Start*", "lightsail:Update*",
             "organizations:CreateAccount", "organizations:CreateOrganization", "organizations:InviteAccountToOrganization",
             "organizations:LeaveOrganization", "organizations:AcceptHandshake", "s3:DeleteBucket", "s3:DeleteObject",
             "s3:DeleteObjectVersion", "s3:PutLifecycleConfiguration", "s3:PutBucketAcl", "s3:PutBucketOwnershipControls",
             "s3:DeleteBucketPolicy", "s3:ObjectOwnerOverrideToBucketOwner", "s3:PutAccountPublicAccessBlock", "s3:PutBucketPolicy",
             "s3:ListAllMyBuckets", "s3:CreateBucket", "s3:PutBucketCors", "s3:GetObject", "s3:ListBucket",
             "s3:PutEncryptionConfiguration", "savingsplans:CreateSavingsPlan", "ecs:CreateService", "ecs:CreateCluster",
             "ecs:RegisterTaskDefinition", "ecr:GetAuthorizationToken", "bedrock:CreateModelInvocationJob",
             "bedrock:InvokeModelWithResponseStream", "bedrock:CreateFoundationModelAgreement", "bedrock:PutFoundationModelEntitlement",
             "bedrock:InvokeModel", "sagemaker:CreateEndpointConfig", "sagemaker:CreateProcessingJob", "ses:GetSendQuota",
             "ses:ListIdentities", "sts:GetSessionToken", "sts:GetFederationToken", "amplify:CreateDeployment",
             "amplify:CreateBackendEnvironment", "codebuild:CreateProject", "glue:CreateJob", "sns:GetSMSAttributes",
             "mediapackagev2:CreateChannel", "logs:PutLogEvents", "kms:PutKeyPolicy", "kms:RetireGrant", "kms:RevokeGrant",
             "kms:ScheduleKeyDeletion", "kms:DeleteImportedKeyMaterial"], "Resource": ["*"]}, {"Effect": "Deny", "Action":
             ["kms:CreateGrant"], "Resource": "*", "Condition": {"Null": {"kms:ViaService": "true"}}}]}
            """#),
        .init(
            "AWSKeyManagementServicePowerUser", path: "/", version: 2, created: 1423248040, updated: 1488848111,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["kms:CreateAlias", "kms:CreateKey", "kms:DeleteAlias",
             "kms:Describe*", "kms:GenerateRandom", "kms:Get*", "kms:List*", "kms:TagResource", "kms:UntagResource", "iam:ListGroups",
             "iam:ListRoles", "iam:ListUsers"], "Resource": "*"}]}
            """#),
        .init(
            "AWSOrganizationsFullAccess", path: "/", version: 9, created: 1541536317, updated: 1770919147,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSOrganizationsFullAccess", "Effect": "Allow", "Action": "organizations:*",
             "Resource": "*"}, {"Sid": "AWSOrganizationsFullAccessAccount", "Effect": "Allow", "Action": ["account:PutAlternateContact",
             "account:DeleteAlternateContact", "account:GetAlternateContact", "account:GetContactInformation",
             "account:PutContactInformation", "account:ListRegions", "account:EnableRegion", "account:DisableRegion",
             "account:PutAccountName", "account:GetAccountInformation"], "Resource": "*"}, {"Sid": "AWSOrganizationsFullAccessCreateSLR",
             "Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource": "*", "Condition": {"StringEquals":
             {"iam:AWSServiceName": "organizations.amazonaws.com"}}}]}
            """#),
        .init(
            "AWSOrganizationsReadOnlyAccess", path: "/", version: 6, created: 1541536358, updated: 1717795936,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSOrganizationsReadOnly", "Effect": "Allow", "Action":
             ["organizations:Describe*", "organizations:List*"], "Resource": "*"}, {"Sid": "AWSOrganizationsReadOnlyAccount", "Effect":
             "Allow", "Action": ["account:GetAlternateContact", "account:GetContactInformation", "account:ListRegions",
             "account:GetRegionOptStatus", "account:GetPrimaryEmail"], "Resource": "*"}]}
            """#),
        .init(
            "AWSSupportAccess", path: "/", version: 4, created: 1423248071, updated: 1770919171,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["support:*", "support-console:*"], "Resource": "*"}]}
            """#),
        .init(
            "IAMAccessAdvisorReadOnly", path: "/", version: 1, created: 1561145625, updated: 1561145625,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["iam:ListRoles", "iam:ListUsers", "iam:ListGroups",
             "iam:ListPolicies", "iam:ListPoliciesGrantingServiceAccess", "iam:GenerateServiceLastAccessedDetails",
             "iam:GenerateOrganizationsAccessReport", "iam:GenerateCredentialReport", "iam:GetRole", "iam:GetPolicy",
             "iam:GetServiceLastAccessedDetails", "iam:GetServiceLastAccessedDetailsWithEntities", "iam:GetOrganizationsAccessReport",
             "organizations:DescribeAccount", "organizations:DescribeOrganization", "organizations:DescribeOrganizationalUnit",
             "organizations:DescribePolicy", "organizations:ListChildren", "organizations:ListParents",
             "organizations:ListPoliciesForTarget", "organizations:ListRoots", "organizations:ListPolicies",
             "organizations:ListTargetsForPolicy"], "Resource": "*"}]}
            """#),
        .init(
            "IAMAccessAnalyzerFullAccess", path: "/", version: 1, created: 1575306760, updated: 1575306760,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["access-analyzer:*"], "Resource": "*"}, {"Effect":
             "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName":
             "access-analyzer.amazonaws.com"}}}, {"Effect": "Allow", "Action": ["organizations:DescribeAccount",
             "organizations:DescribeOrganization", "organizations:DescribeOrganizationalUnit", "organizations:ListAccounts",
             "organizations:ListAccountsForParent", "organizations:ListAWSServiceAccessForOrganization", "organizations:ListChildren",
             "organizations:ListDelegatedAdministrators", "organizations:ListOrganizationalUnitsForParent", "organizations:ListParents",
             "organizations:ListRoots"], "Resource": "*"}]}
            """#),
        .init(
            "IAMAccessAnalyzerReadOnlyAccess", path: "/", version: 4, created: 1575306773, updated: 1721324944,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "IAMAccessAnalyzerReadOnlyAccess", "Effect": "Allow", "Action":
             ["access-analyzer:CheckAccessNotGranted", "access-analyzer:CheckNoNewAccess", "access-analyzer:CheckNoPublicAccess",
             "access-analyzer:Get*", "access-analyzer:List*", "access-analyzer:ValidatePolicy"], "Resource": "*"}]}
            """#),
        .init(
            "IAMFullAccess", path: "/", version: 2, created: 1423248038, updated: 1561146000,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["iam:*", "organizations:DescribeAccount",
             "organizations:DescribeOrganization", "organizations:DescribeOrganizationalUnit", "organizations:DescribePolicy",
             "organizations:ListChildren", "organizations:ListParents", "organizations:ListPoliciesForTarget", "organizations:ListRoots",
             "organizations:ListPolicies", "organizations:ListTargetsForPolicy"], "Resource": "*"}]}
            """#),
        .init(
            "IAMReadOnlyAccess", path: "/", version: 4, created: 1423248039, updated: 1516907487,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["iam:GenerateCredentialReport",
             "iam:GenerateServiceLastAccessedDetails", "iam:Get*", "iam:List*", "iam:SimulateCustomPolicy",
             "iam:SimulatePrincipalPolicy"], "Resource": "*"}]}
            """#),
        .init(
            "IAMSelfManageServiceSpecificCredentials", path: "/", version: 1, created: 1482427518, updated: 1482427518,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["iam:CreateServiceSpecificCredential",
             "iam:ListServiceSpecificCredentials", "iam:UpdateServiceSpecificCredential", "iam:DeleteServiceSpecificCredential",
             "iam:ResetServiceSpecificCredential"], "Resource": "arn:aws:iam::*:user/${aws:username}"}]}
            """#),
        .init(
            "IAMUserChangePassword", path: "/", version: 5, created: 1479169516, updated: 1770919137,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["iam:ChangePassword"], "Resource":
             ["arn:aws:iam::*:user/${aws:username}", "arn:aws:iam::*:user/*/${aws:username}"]}, {"Effect": "Allow", "Action":
             ["iam:GetAccountPasswordPolicy"], "Resource": "*"}]}
            """#),
        .init(
            "IAMUserSSHKeys", path: "/", version: 1, created: 1436461734, updated: 1436461734,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["iam:DeleteSSHPublicKey", "iam:GetSSHPublicKey",
             "iam:ListSSHPublicKeys", "iam:UpdateSSHPublicKey", "iam:UploadSSHPublicKey"], "Resource":
             "arn:aws:iam::*:user/${aws:username}"}]}
            """#),
        .init(
            "ResourceGroupsandTagEditorFullAccess", path: "/", version: 6, created: 1423247993, updated: 1691674159,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["tag:getResources", "tag:getTagKeys",
             "tag:getTagValues", "tag:TagResources", "tag:UntagResources", "resource-groups:*", "cloudformation:DescribeStacks",
             "cloudformation:ListStackResources", "cloudformation:ListStacks"], "Resource": "*"}]}
            """#),
        .init(
            "ResourceGroupsandTagEditorReadOnlyAccess", path: "/", version: 3, created: 1423247994, updated: 1691674978,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["tag:getResources", "tag:getTagKeys",
             "tag:getTagValues", "resource-groups:Get*", "resource-groups:List*", "resource-groups:Search*",
             "cloudformation:DescribeStacks", "cloudformation:ListStackResources", "cloudformation:ListStacks"], "Resource": "*"}]}
            """#),
        .init(
            "SecretsManagerReadWrite", path: "/", version: 6, created: 1522865129, updated: 1787701030,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "BasePermissions", "Effect": "Allow", "Action": ["secretsmanager:*",
             "cloudformation:CreateChangeSet", "cloudformation:DescribeChangeSet", "cloudformation:DescribeStackResource",
             "cloudformation:DescribeStacks", "cloudformation:ExecuteChangeSet", "docdb-elastic:GetCluster", "docdb-elastic:ListClusters",
             "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeVpcs", "kms:DescribeKey", "kms:ListAliases",
             "kms:ListKeys", "lambda:ListFunctions", "rds:DescribeDBClusters", "rds:DescribeDBInstances", "redshift:DescribeClusters",
             "redshift-serverless:ListWorkgroups", "redshift-serverless:GetNamespace", "tag:GetResources"], "Resource": "*"}, {"Sid":
             "LambdaPermissions", "Effect": "Allow", "Action": ["lambda:AddPermission", "lambda:CreateFunction", "lambda:GetFunction",
             "lambda:InvokeFunction", "lambda:UpdateFunctionConfiguration"], "Resource": "arn:aws:lambda:*:*:function:SecretsManager*"},
             {"Sid": "SARPermissions", "Effect": "Allow", "Action": ["serverlessrepo:CreateCloudFormationChangeSet",
             "serverlessrepo:GetApplication"], "Resource": "arn:aws:serverlessrepo:*:*:applications/SecretsManager*"}, {"Sid":
             "S3Permissions", "Effect": "Allow", "Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::awsserverlessrepo-changesets*",
             "arn:aws:s3:::secrets-manager-rotation-apps-*/*"]}, {"Sid": "CloudFormationTagOnCreate", "Effect": "Allow", "Action":
             ["cloudformation:TagResource", "cloudformation:UntagResource"], "Resource": "*", "Condition": {"StringEquals":
             {"cloudformation:CreateAction": ["CreateChangeSet", "ExecuteChangeSet"]}}}]}
            """#),
        .init(
            "ServiceQuotasFullAccess", path: "/", version: 4, created: 1561391075, updated: 1612474183,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["autoscaling:DescribeAccountLimits",
             "cloudformation:DescribeAccountLimits", "cloudwatch:DescribeAlarmsForMetric", "cloudwatch:DescribeAlarms",
             "cloudwatch:GetMetricData", "cloudwatch:GetMetricStatistics", "cloudwatch:PutMetricAlarm", "dynamodb:DescribeLimits",
             "elasticloadbalancing:DescribeAccountLimits", "iam:GetAccountSummary", "kinesis:DescribeLimits",
             "organizations:DescribeAccount", "organizations:DescribeOrganization", "organizations:ListAWSServiceAccessForOrganization",
             "rds:DescribeAccountAttributes", "route53:GetAccountLimit", "tag:GetTagKeys", "tag:GetTagValues", "servicequotas:*"],
             "Resource": "*"}, {"Effect": "Allow", "Action": ["cloudwatch:DeleteAlarms"], "Resource": "*", "Condition": {"Null":
             {"aws:ResourceTag/ServiceQuotaMonitor": "false"}}}, {"Effect": "Allow", "Action": ["organizations:EnableAWSServiceAccess"],
             "Resource": "*", "Condition": {"StringLike": {"organizations:ServicePrincipal": ["servicequotas.amazonaws.com"]}}},
             {"Effect": "Allow", "Action": ["iam:CreateServiceLinkedRole"], "Resource": "*", "Condition": {"StringEquals":
             {"iam:AWSServiceName": "servicequotas.amazonaws.com"}}}]}
            """#),
    ]
}
