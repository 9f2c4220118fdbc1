<?php
// SimpleSAMLphp as an identity provider for the users of its own list.

$settings = json_decode(file_get_contents(dirname(__DIR__) . '/settings.json'), true);
$metadata[$settings['url'] . '/idp'] = [
    'host' => '__DEFAULT__',
    'privatekey' => 'application.key',
    'certificate' => 'application.pem',
    'auth' => 'list',
    'NameIDFormat' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    'simplesaml.nameidattribute' => 'uid',
    'attributes.NameFormat' => 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
    'signature.algorithm' => 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'userid.attribute' => 'uid',
    'authproc' => [3 => ['class' => 'saml:AttributeNameID', 'attribute' => 'uid',
        'Format' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent']],
];
